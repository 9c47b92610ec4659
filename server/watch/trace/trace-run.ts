import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Trace, TraceStop, TraceSummary } from '@/lib/protocol/trace';
import type { TraceSampleObservation } from '@/server/watch/observation';
import { createClassifier, type Classifier } from './classifier';
import { createClientNames, type ClientNames } from './client-names';
import type { CostProbe } from './cost-probe';
import { createTraceGuard, type TraceGuard } from './guard';
import { openMonitor, type MonitorConnection } from './monitor-connection';
import { createStreamState } from './stream-state';
import { createTraceClock, type TraceClock } from './trace-clock';
import type { KnownLocks, SampledFigures, TraceRequest } from './trace-contract';
import { createTracedLocks, type TracedLocksOptions } from './traced-locks';
import { TraceCounts } from './trace-counts';
import { clientRows, evidenceOf, isStorm, keyRows, sampleOf } from './trace-view';

const TURN_MS = 250;
const TURNS_PER_SECOND = 4;
const LOOP_RESOLUTION_MS = 10;

export interface TraceRunOptions extends TracedLocksOptions {
  id: string;
  target: string;
  url: string;
  request: TraceRequest;
  probe: CostProbe;
  locks: KnownLocks;
  deliver: (sample: TraceSampleObservation) => void;
  onChange: () => void;
  now: () => number;
  /** What ends it early; by default a {@link createTraceGuard}. */
  guard?: () => TraceGuard;
}

/**
 * One trace: `running` → `done` when its time is over, or `stopped` with a reason. A turn of the clock four
 * times a second measures, judges and tells; whatever ends it closes the connection first.
 */
export class TraceRun {
  readonly id: string;
  readonly #options: TraceRunOptions;
  readonly #counts = new TraceCounts();
  readonly #names: ClientNames = createClientNames();
  readonly #guard: TraceGuard;
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #closed = Promise.withResolvers<void>();
  #classifier: Classifier | null = null;
  #monitor: MonitorConnection | null = null;
  #clock: TraceClock | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #turns = 0;
  #loopLagMs = 0;
  #startedAt = 0;
  #endedAt: number | null = null;
  #aheadMs: number | null = null;
  #stop: { because: TraceStop | null; by: string | null } | null = null;

  constructor(options: TraceRunOptions) {
    this.id = options.id;
    this.#options = options;
    this.#guard = (options.guard ?? createTraceGuard)();
  }

  get isOver(): boolean {
    return this.#stop !== null;
  }

  get endsAt(): number {
    return this.#startedAt + 1000 * this.#options.request.seconds;
  }

  /** Resolves when its connections are closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Resolves when Redis tells of its commands. Rejects as `openMonitor` does; then nothing runs. */
  async start(): Promise<void> {
    const { url, now, probe } = this.#options;
    this.#startedAt = now();
    this.#clock = createTraceClock(performance.now());
    this.#classifier = this.#createClassifier();
    try {
      await this.#askNames();
      this.#monitor = await openMonitor(url, {
        onLine: (line) => this.#onLine(line),
        onChunk: (bytes) => this.#onChunk(bytes),
        onLost: () => this.#monitor && this.finish('disconnected'),
      });
    } catch (error) {
      await probe.close();
      throw error;
    }
    this.#loop.enable();
    // Behind all that lay waiting: until then a late loop is neither measured nor has it read what Redis answered.
    this.#timer = setInterval(() => setImmediate(() => this.#turn()), TURN_MS);
    this.#timer.unref();
  }

  /** Ends it; `because` null = its time is over. Does nothing when it has ended. */
  finish(because: TraceStop | null, by: string | null = null): void {
    if (this.#stop) return;
    this.#stop = { because, by };
    clearInterval(this.#timer);
    this.#loop.disable();
    this.#endedAt = this.#options.now();
    void this.#close();
    this.#classifier?.flush();
    this.#clock?.turn(performance.now());
    this.#deliver();
    this.#options.onChange();
  }

  summary(): TraceSummary {
    const { id, target, request } = this.#options;
    const { keys, clients, attempts, failed, truncated } = this.#counts;
    return {
      ...{ id, target, attempts, failed, truncated },
      state: !this.#stop ? 'running' : this.#stop.because === null ? 'done' : 'stopped',
      stoppedBecause: this.#stop?.because ?? null,
      stoppedBy: this.#stop?.by ?? null,
      startedAt: this.#startedAt,
      endsAt: this.endsAt,
      endedAt: this.#endedAt,
      actor: request.actor,
      reason: request.reason,
      cost: this.#cost(),
      commands: this.#classifier?.commands ?? 0,
      keyCount: keys.size,
      clientCount: clients.size,
      storms: countStorms(keys.values()),
      hotClients: countStorms(clients.values()),
      evidence: 'observed',
    };
  }

  view(): Trace {
    const { names, seconds } = { names: this.#names, seconds: this.#lastedS() };
    const formatOf = (db: number, key: Bytes): string | null => this.#formatOf(db, key);
    return {
      ...this.summary(),
      keys: keyRows(this.#counts.keys.values(), { names, formatOf, seconds }),
      clients: clientRows(this.#counts.clients.values(), { names, seconds }),
    };
  }

  /** What was seen of one lock; null when nobody tried to take it. */
  sampled(db: number, key: Bytes): SampledFigures | null {
    const count = this.#counts.keys.get(`${db}:${key}`);
    if (!count || count.attempts === 0) return null;
    const { attempts, failed, clients } = count;
    return {
      from: this.#startedAt,
      to: this.#endedAt ?? this.#options.now(),
      clients: clients.size,
      evidence: evidenceOf(count),
      ...{ attempts, failed },
    };
  }

  #createClassifier(): Classifier {
    const { locks } = this.#options;
    return createClassifier({
      state: createStreamState({
        locks,
        startedAt: this.#startedAt,
        aheadMs: () => this.#aheadMs ?? 0,
      }),
      traced: createTracedLocks(this.#options),
      isOwn: this.#names.isOwn,
      onSeen: (seen) => this.#counts.add(seen),
    });
  }

  #formatOf(db: number, key: Bytes): string | null {
    return this.#options.locks.get(db, key)?.format ?? null;
  }

  #onLine(line: string): void {
    this.#clock?.lines(1);
    this.#classifier?.line(line);
  }

  #onChunk(bytes: number): void {
    this.#clock?.bytes(bytes);
    const lastAt = this.#classifier?.lastAt ?? 0;
    if (lastAt === 0) return;
    const aheadMs = this.#options.now() - lastAt;
    // The way here only adds to it, so the least is the nearest.
    if (this.#aheadMs === null || aheadMs < this.#aheadMs) this.#aheadMs = aheadMs;
  }

  #turn(): void {
    const { probe, now } = this.#options;
    const clock = this.#clock;
    if (!clock || this.#stop) return;
    clock.turn(performance.now());
    this.#classifier?.flush();
    this.#loopLagMs = Math.max(0, this.#loop.max / 1e6 - LOOP_RESOLUTION_MS);
    this.#loop.reset();
    const { linesPerSecond } = clock;
    const because = this.#guard.judge({
      pingMs: probe.pingMs,
      pingBaselineMs: probe.pingBaselineMs,
      outputBufferBytes: probe.bufferBytes,
      loopLagMs: this.#loopLagMs,
      linesPerSecond,
    });
    if (because) return this.finish(because);
    if (now() >= this.endsAt) return this.finish(null);
    probe.ask(this.#monitor?.clientId ?? null);
    if (++this.#turns % TURNS_PER_SECOND === 0) void this.#everySecond();
    this.#options.onChange();
  }

  async #everySecond(): Promise<void> {
    this.#deliver();
    await this.#options.probe.askCpu();
    const isUnknown = [...this.#counts.clients.values()].some(
      ({ addr }) => !this.#names.knows(addr),
    );
    if (isUnknown) await this.#askNames();
  }

  async #askNames(): Promise<void> {
    const rows = await this.#options.probe.clients();
    if (rows) this.#names.take(rows);
  }

  #deliver(): void {
    const { id, deliver, now } = this.#options;
    const sample = sampleOf(this.#counts, this.#names);
    if (sample.storms.length === 0 && sample.hotClients.length === 0) return;
    deliver({
      kind: 'trace-sample',
      at: now(),
      trace: id,
      from: this.#startedAt,
      to: this.#endedAt ?? now(),
      ...sample,
    });
  }

  #cost(): TraceSummary['cost'] {
    const { probe } = this.#options;
    const clock = this.#clock;
    const rates = this.#stop ? clock?.averages : clock;
    return {
      linesPerSecond: rates?.linesPerSecond ?? 0,
      bytesPerSecond: rates?.bytesPerSecond ?? 0,
      pingMs: hundredths(probe.pingMs),
      pingWorstMs: hundredths(probe.pingWorstMs),
      pingBaselineMs: hundredths(probe.pingBaselineMs),
      redisCpuShare: hundredths(probe.cpuShare),
      redisCpuBaseline: hundredths(probe.cpuBaseline),
      outputBufferBytes: probe.bufferBytes,
      loopLagMs: Math.round(this.#loopLagMs),
    };
  }

  #lastedS(): number {
    return ((this.#endedAt ?? this.#options.now()) - this.#startedAt) / 1000;
  }

  async #close(): Promise<void> {
    await this.#monitor?.close();
    await this.#options.probe.close();
    this.#closed.resolve();
  }
}

const hundredths = (value: number | null): number | null =>
  value === null ? null : Math.round(100 * value) / 100;

function countStorms(counts: Iterable<Parameters<typeof isStorm>[0]>): number {
  let storms = 0;
  for (const count of counts) if (isStorm(count)) storms++;
  return storms;
}
