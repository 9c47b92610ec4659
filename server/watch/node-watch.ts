import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { printable } from '@/lib/protocol/bytes';
import type { GapReason, TargetNode } from '@/lib/protocol/target';
import type { FormatTable } from '@/lib/formats/format';
import type { CommandConnections } from '@/server/redis/command-connections';
import {
  answersWithoutPassword,
  createEventClient,
  displayAddress,
  hasPassword,
  unavailable,
  userOf,
} from '@/server/redis/connection-options';
import { EventConnection } from '@/server/redis/event-connection';
import { keysPerDb, parseInfo } from '@/server/redis/info';
import { CANARY_PREFIX, createCanary, type Canary, type CanaryVerdict } from './canary';
import { createCompanionFinder } from './companion-finder';
import { createGapLog } from './gap-log';
import { createKeyFilter, type KeyFilter } from './key-filter';
import { planKeyPatterns } from './key-patterns';
import { KeyReader } from './key-reader';
import type { Observation, ReadCause, ReadObservation } from './observation';
import { createRotation, type Rotation } from './rotation';
import {
  applyInfo,
  createServerFacts,
  eventBacklog,
  probePubsub,
  refreshConfig,
  refreshInfo,
} from './server-facts';
import { isBlind } from './sight';
import { createSightKeeper } from './sight-keeper';
import { subscribe, subscriptionTiers, unsubscribe, type Subscribed } from './subscription';
import { Sweep } from './sweep';
import { every, type Ticker } from './ticker';
import { createWaiterProbe, type ProbedLock, type WaiterProbe } from './waiter-probe';
import { missingRules, nodeWarnings, type WarningFacts } from './warnings';
import type { KeyRef } from './watch-contract';

const SECOND = 1000;
const SCAN_TASK = 'scan the keys';
const HEARTBEAT_MS = 500;
/** Two heartbeats in a row must find a reply this late: one alone may only mean that *we* were busy. */
const STALLED_AFTER_MS = 2.5 * SECOND;
const ROTATION_STEP_MS = 250;
const PROBE_MS = SECOND;
const INFO_MS = 2 * SECOND;
const CANARY_MS = 5 * SECOND;
const SWEEP_REST_MS = 60 * SECOND;
const BLIND_SWEEP_REST_MS = 5 * SECOND;
/** A narrower subscription is tried again this often when only a wide one was allowed. */
const CANARIES_PER_UPGRADE = 12;
/** A cut stays a warning for this long. */
const CUT_WARNING_MS = 10 * 60 * SECOND;
/** A reply this late when the connection broke means that Redis was holding data back for us. */
const BACKLOG_WAIT_MS = 1.5 * SECOND;
/** Reads waiting beyond this make a step of the rotation wait too. */
const MAX_BACKLOG = 5_000;

/** Events after which the key is known to be gone or unchanged: nothing to read. */
const NEEDS_NO_READ = new Set(['del', 'expired', 'evicted', 'rename_from', 'move_from', 'keymiss']);

export interface NodeWatchOptions {
  url: string;
  dbs: readonly number[];
  patterns: readonly Bytes[];
  everything: boolean;
  allowInsecureRedis: boolean;
  formats: FormatTable;
  /** Names the canary keys of this process. */
  canaryId: string;
  now: () => number;
  commands: CommandConnections;
  deliver: (observations: readonly Observation[]) => void;
}

/**
 * Watches one Redis process: one event connection, and the command connections for what needs no order.
 *
 * closed → (ioredis ready) → opening: HELLO, INFO, CONFIG, PSUBSCRIBE → open: events, reads, canary →
 * (socket gone) → closed. A gap opens on the way to closed and ends where the subscription stands again.
 */
export class NodeWatch {
  readonly #options: NodeWatchOptions;
  readonly #connection: EventConnection;
  readonly #reader: KeyReader;
  readonly #canary: Canary;
  readonly #sweep: Sweep;
  readonly #facts = createServerFacts();
  readonly #sight;
  readonly #gaps = createGapLog();
  readonly #dbs: ReadonlySet<number>;
  readonly #keyPatterns: readonly Bytes[];
  readonly #passes: KeyFilter;
  readonly #isDeclared: KeyFilter;
  readonly #problems = new Map<string, string>();
  readonly #otherRules = new Map<string, string>();
  #probes: () => ProbedLock[] = () => [];
  #rotation: Rotation = createRotation(() => []);
  readonly #waiterProbe: WaiterProbe;
  #tickers: Ticker[] = [];
  #pending: Observation[] = [];
  #chunkAt = 0;
  #subscribed: Subscribed = { mode: null, patterns: [], refusal: null };
  #connected = false;
  #everConnected = false;
  #speaksResp3 = true;
  #insecure = false;
  #clientId: number | null = null;
  #backlogBytes = 0;
  #lossReason: GapReason | null = null;
  #lastRunId: string | null = null;
  #lastCutClients: number | null = null;
  #lastSize: number | null = null;
  #stalled = false;
  #canaries = 0;
  #firstVerdict: () => void = () => undefined;
  #eventsTotal = 0;
  #eventsAtBeat = 0;
  #beatAt = 0;
  #eventsPerSecond = 0;
  #lastEventAt: number | null = null;
  #stopped = false;

  constructor(options: NodeWatchOptions) {
    this.#options = options;
    this.#dbs = new Set(options.dbs);
    this.#sight = createSightKeeper(options.now);
    const wishes = {
      prefixes: [...options.formats.watchedPrefixes, CANARY_PREFIX],
      globs: options.patterns,
      everything: options.everything,
    };
    this.#keyPatterns = planKeyPatterns(wishes);
    this.#passes = createKeyFilter({ ...wishes, prefixes: options.formats.watchedPrefixes });
    this.#isDeclared = createKeyFilter({
      prefixes: [],
      globs: options.patterns,
      everything: false,
    });
    const db = options.dbs[0] ?? 0;
    this.#connection = new EventConnection(createEventClient(options.url, db), {
      db,
      now: options.now,
      handlers: {
        onOpen: (info) => this.#onOpen(info),
        onClose: (info) => this.#onClose(info),
        onKeyspace: (eventDb, key, event) => this.#onKeyspace(eventDb, key, event),
        onChunkEnd: () => this.#flush(),
      },
    });
    const companions = createCompanionFinder(options.formats);
    this.#canary = createCanary(this.#connection, { id: options.canaryId, now: options.now });
    this.#waiterProbe = createWaiterProbe({
      probes: () => this.#probes(),
      waiterChannel: companions.waiterChannel,
      deliver: (observations) => this.#emitNow(...observations),
      onAlivenessChanged: (keyDb, key) => this.#reader.request(keyDb, key, 'reconcile'),
      now: options.now,
    });
    this.#reader = new KeyReader({
      connection: this.#connection,
      now: options.now,
      companionsOf: companions.companionsOf,
      isAlive: this.#waiterProbe.isAlive,
      deliver: (observation) => this.#onRead(observation),
      onRefused: () => this.#otherRules.set('read', '+@read %R~*'),
    });
    const single = planKeyPatterns(wishes, 1)[0] ?? '*';
    this.#sweep = new Sweep({
      dbs: () => options.dbs.filter((each) => this.#facts.keys?.has(each) !== false),
      connection: options.commands.of,
      match: single === '*' ? null : single,
      lockOf: (key) => this.#lockOf(key),
      read: (keyDb, key, cause) => this.#reader.request(keyDb, key, cause),
      drained: async (limit) => await this.#reader.drained(limit),
      now: options.now,
    });
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The first sweep is done, and the canary has said what is seen. */
  get ready(): boolean {
    return this.#sight.sight !== null && this.#sweep.progress.finishedAt !== null;
  }

  /** Rejects with TARGET_UNAVAILABLE when the first connection fails. */
  async start(): Promise<void> {
    const verdict = new Promise<void>((resolve) => (this.#firstVerdict = resolve));
    try {
      await this.#connection.open();
    } catch (error) {
      await this.stop();
      throw unavailable(this.#options.url, error);
    }
    await verdict;
    await this.#probeCapabilities();
    if (this.#stopped) return;
    const { url, allowInsecureRedis } = this.#options;
    if (!allowInsecureRedis) {
      this.#insecure = !hasPassword(url) || (await answersWithoutPassword(url));
    }
    this.#startTasks();
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const ticker of this.#tickers) ticker.stop();
    this.#sweep.stop();
    this.#reader.reset();
    this.#firstVerdict();
    await this.#connection.close();
  }

  read(ref: KeyRef, cause: ReadCause): void {
    this.#reader.request(ref.db, ref.key, cause);
  }

  async readNow(ref: KeyRef): Promise<ReadObservation> {
    return await this.#reader.readNow(ref.db, ref.key);
  }

  setProbes(probes: () => ProbedLock[]): void {
    this.#probes = probes;
  }

  setReconcile(next: (limit: number) => KeyRef[]): void {
    this.#rotation = createRotation(next);
  }

  /** State as TargetNode. */
  status(): TargetNode {
    const { sight, canaryMs, canaryAt } = this.#sight;
    const { progress } = this.#sweep;
    return {
      addr: displayAddress(this.#options.url),
      role: this.#facts.role,
      runId: this.#facts.runId,
      version: this.#facts.version,
      connected: this.#connected,
      canSee: sight?.canSee ?? { acquire: null, release: null, lapse: null, eviction: null },
      acquireOf: sight?.acquireOf ?? { string: null, hash: null, zset: null },
      notifyFlags: this.#facts.notifyFlags,
      missingClasses: sight?.missingClasses ?? [],
      patterns: this.#subscribed.patterns.map(printable),
      canaryMs,
      canaryAt,
      lastEventAt: this.#lastEventAt,
      eventsTotal: this.#eventsTotal,
      eventsPerSecond: this.#eventsPerSecond,
      gaps: this.#gaps.all(),
      sweep: { ...progress, keys: this.#keyCount() },
    };
  }

  capabilities(): Record<'config' | 'info' | 'client' | 'eval' | 'pubsub', boolean> {
    return { ...this.#facts.capabilities };
  }

  missingRules(): { capability: string; rule: string }[] {
    return missingRules(this.#warningFacts(), this.#otherRules);
  }

  warnings(): ReturnType<typeof nodeWarnings> {
    return nodeWarnings(this.#warningFacts());
  }

  /** Dbs that have keys and are not watched; empty where INFO is forbidden. */
  unwatchedDbs(): number[] {
    return [...(this.#facts.keys?.keys() ?? [])].filter((db) => !this.#dbs.has(db));
  }

  #warningFacts(): WarningFacts {
    const now = this.#options.now();
    return {
      facts: this.#facts,
      user: userOf(this.#options.url),
      address: displayAddress(this.#options.url),
      connected: this.#connected,
      connectionError: this.#connection.lastError?.message ?? null,
      speaksResp3: this.#speaksResp3,
      mode: this.#subscribed.mode,
      subscribeRefusal: this.#subscribed.refusal,
      sight: this.#sight.sight,
      dbs: this.#options.dbs,
      unwatchedDbs: this.unwatchedDbs(),
      insecure: this.#insecure,
      bufferCutRecently: this.#gaps.has('buffer-cut', now - CUT_WARNING_MS),
      problems: this.#problems,
    };
  }

  #keyCount(): number | null {
    if (this.#facts.keys === null) return this.#lastSize;
    let sum = 0;
    for (const db of this.#dbs) sum += this.#facts.keys.get(db) ?? 0;
    return sum;
  }

  // ── the stream ────────────────────────────────────────────────────────────────────────────────────

  #onKeyspace(db: number, key: Bytes, event: string): void {
    if (key.startsWith(CANARY_PREFIX)) {
      this.#canary.observe(key, event);
      return;
    }
    if (!this.#dbs.has(db) || !this.#passes(key)) return;
    this.#eventsTotal++;
    if (this.#chunkAt === 0) this.#chunkAt = this.#options.now();
    this.#lastEventAt = this.#chunkAt;
    const side = this.#options.formats.sideKey(key);
    if (side) {
      if (side.parent !== null && event !== 'keymiss') {
        this.#reader.request(db, side.parent, 'event');
      }
      return;
    }
    if (event === 'keymiss' && this.#reader.isOwnMiss(db, key)) return;
    this.#pending.push({ kind: 'event', at: this.#chunkAt, db, key, event });
    if (!NEEDS_NO_READ.has(event)) this.#reader.request(db, key, 'event');
  }

  #onRead(observation: ReadObservation): void {
    if (observation.queue !== null) this.#waiterProbe.observe(observation);
    const { cause, key, value } = observation;
    if ((cause === 'sweep' || cause === 'resync') && value !== null) {
      const context = { declared: this.#isDeclared(key), now: observation.at };
      if (this.#options.formats.recognise(key, value, context)) this.#sweep.found();
    }
    this.#pending.push(observation);
  }

  #lockOf(key: Bytes): Bytes | null {
    if (key.startsWith(CANARY_PREFIX) || !this.#passes(key)) return null;
    const side = this.#options.formats.sideKey(key);
    return side ? side.parent : key;
  }

  #flush(): void {
    this.#chunkAt = 0;
    this.#reader.chunkEnded();
    if (this.#pending.length === 0) return;
    const observations = this.#pending;
    this.#pending = [];
    this.#options.deliver(observations);
  }

  #emitNow(...observations: Observation[]): void {
    this.#pending.push(...observations);
    this.#flush();
  }

  // ── opening and losing the connection ─────────────────────────────────────────────────────────────

  #onOpen(info: { events: boolean; clientId: number | null }): void {
    this.#speaksResp3 = info.events;
    this.#clientId = info.clientId;
    this.#lastRunId = this.#facts.runId;
    this.#lastCutClients = this.#facts.cutClients;
    this.#connection.send(['INFO'], (reply) => {
      if (typeof reply === 'string') applyInfo(this.#facts, reply);
    });
    this.#connection.send(['CONFIG', 'GET', 'notify-keyspace-events'], (reply) => {
      const value = Array.isArray(reply) ? reply[1] : null;
      this.#facts.notifyFlags = typeof value === 'string' ? value : null;
      if (!this.#speaksResp3) this.#onSubscribed({ mode: null, patterns: [], refusal: null });
      else subscribe(this.#connection, this.#tiers(), (result) => this.#onSubscribed(result));
    });
  }

  #tiers(): ReturnType<typeof subscriptionTiers> {
    return subscriptionTiers(this.#keyPatterns, this.#options.dbs, this.#facts.notifyFlags);
  }

  /** The place in the stream from which on nothing is missed. */
  #onSubscribed(subscribed: Subscribed): void {
    const { now } = this.#options;
    this.#subscribed = subscribed;
    this.#connected = true;
    this.#pending.push({ kind: 'connection', at: now(), connected: true });
    const serverRestarted = this.#lastRunId !== null && this.#facts.runId !== this.#lastRunId;
    const wasCut =
      !serverRestarted && (this.#facts.cutClients ?? 0) > (this.#lastCutClients ?? Infinity);
    const known = serverRestarted ? 'server-restarted' : wasCut ? 'buffer-cut' : undefined;
    this.#endGap(known, serverRestarted);
    this.#reader.open();
    this.#reader.probeEval((mayWrite) => (this.#facts.capabilities.eval = mayWrite));
    const again = this.#everConnected;
    this.#everConnected = true;
    this.#runCanary();
    // After the observations of this socket read, so that the gap is known before its reads.
    queueMicrotask(() => this.#resync(again));
  }

  #endGap(reason: GapReason | undefined, serverRestarted: boolean): boolean {
    const at = this.#options.now();
    const gap = this.#gaps.close(at, reason);
    if (gap) this.#pending.push({ kind: 'gap', at, ...gap, serverRestarted });
    return gap !== null;
  }

  #resync(again: boolean): void {
    if (again)
      for (const { db, key } of this.#rotation.all()) this.#reader.request(db, key, 'resync');
    this.#runSweep(again ? 'resync' : 'sweep', 'fast');
  }

  #onClose(info: { midFrame: boolean; waitingMs: number }): void {
    this.#reader.reset();
    this.#canary.reset();
    this.#subscribed = { mode: null, patterns: [], refusal: null };
    if (this.#stopped || !this.#connected) return;
    this.#connected = false;
    const heldBack = info.midFrame || this.#backlogBytes > 0 || info.waitingMs > BACKLOG_WAIT_MS;
    const reason = this.#lossReason ?? (heldBack ? 'buffer-cut' : 'connection-lost');
    this.#lossReason = null;
    this.#stalled = false;
    this.#backlogBytes = 0;
    this.#gaps.open(this.#connection.wholeUntil, reason);
    this.#pending.push({ kind: 'connection', at: this.#options.now(), connected: false });
  }

  // ── what runs again and again ─────────────────────────────────────────────────────────────────────

  #startTasks(): void {
    this.#task('keep the event connection alive', HEARTBEAT_MS, () => this.#heartbeat());
    this.#task('re-read the held locks', ROTATION_STEP_MS, () => {
      if (this.#reader.backlog > MAX_BACKLOG) return;
      for (const { db, key } of this.#rotation.next()) this.#reader.request(db, key, 'reconcile');
    });
    this.#task('read the number of keys', PROBE_MS, async () => await this.#checkSize());
    this.#task('count waiters', PROBE_MS, async () => {
      const redis = await this.#command();
      if (await probePubsub(this.#facts, redis)) await this.#waiterProbe.run(redis);
    });
    this.#task('read the state of the event connection', PROBE_MS, async () => {
      if (this.#clientId === null) return;
      const bytes = await eventBacklog(this.#facts, await this.#command(), this.#clientId);
      this.#backlogBytes = bytes ?? 0;
    });
    this.#task('read INFO', INFO_MS, async () => {
      await refreshInfo(this.#facts, await this.#command());
    });
    this.#task('check what can be seen', CANARY_MS, async () => await this.#checkSight());
    this.#task('sweep', SECOND, () => {
      const blind = this.#sight.sight === null || isBlind(this.#sight.sight);
      const soon = blind || this.#problems.has(SCAN_TASK);
      const rest = soon ? BLIND_SWEEP_REST_MS : SWEEP_REST_MS;
      const finishedAt = this.#sweep.progress.finishedAt ?? 0;
      if (this.#sweep.progress.running) return;
      if (this.#options.now() - finishedAt >= rest) this.#runSweep('sweep', 'gentle');
    });
  }

  /** Runs `work` in turns while connected; a failure is shown as a warning until it works again. */
  #task(name: string, ms: number, work: () => Promise<void> | void): void {
    const guarded = async (): Promise<void> => {
      if (!this.#connected) return;
      await work();
      this.#problems.delete(name);
    };
    const onError = (error: unknown): void => {
      if (this.#connected && !this.#stopped) this.#problems.set(name, messageOf(error));
    };
    this.#tickers.push(every(ms, guarded, onError));
  }

  /** So that the first status already says what is forbidden. */
  async #probeCapabilities(): Promise<void> {
    const redis = await this.#command();
    await refreshInfo(this.#facts, redis);
    await refreshConfig(this.#facts, redis);
    await probePubsub(this.#facts, redis);
    if (this.#clientId !== null) await eventBacklog(this.#facts, redis, this.#clientId);
  }

  async #command(): Promise<Redis> {
    return await this.#options.commands.of(this.#options.dbs[0] ?? 0);
  }

  #runSweep(cause: 'sweep' | 'resync', pace: 'fast' | 'gentle'): void {
    this.#sweep.run(cause, pace).then(
      () => this.#problems.delete(SCAN_TASK),
      (error: unknown) => {
        if (this.#stopped) return;
        const message = messageOf(error);
        this.#problems.set(SCAN_TASK, message);
        if (message.startsWith('NOPERM')) this.#otherRules.set('scan', '+scan');
      },
    );
  }

  #heartbeat(): void {
    const now = this.#options.now();
    const elapsed = now - this.#beatAt;
    if (elapsed >= SECOND) {
      this.#eventsPerSecond = (1000 * (this.#eventsTotal - this.#eventsAtBeat)) / elapsed;
      this.#eventsAtBeat = this.#eventsTotal;
      this.#beatAt = now;
    }
    const late = this.#connection.waitingMs > STALLED_AFTER_MS;
    if (late && this.#stalled) {
      this.#lossReason = 'canary-lost';
      this.#connection.drop();
      void this.#options.commands.drop();
    } else if (!late) this.#connection.send(['PING']);
    this.#stalled = late;
  }

  /** A flush makes no event: the number of keys gives it away. */
  async #checkSize(): Promise<void> {
    const redis = await this.#command();
    const [only] = this.#options.dbs;
    let size = 0;
    if (this.#options.dbs.length === 1 && only !== undefined) size = await redis.dbsize();
    else {
      if (!this.#facts.capabilities.info) return;
      const keys = keysPerDb(parseInfo(await redis.info('keyspace')));
      for (const db of this.#dbs) size += keys.get(db) ?? 0;
    }
    const before = this.#lastSize ?? size;
    this.#lastSize = size;
    if (size >= this.#rotation.held && size >= before / 2) return;
    for (const { db, key } of this.#rotation.all()) this.#reader.request(db, key, 'reconcile');
  }

  // ── sight ─────────────────────────────────────────────────────────────────────────────────────────

  async #checkSight(): Promise<void> {
    await refreshConfig(this.#facts, await this.#command());
    this.#canaries++;
    const tiers = this.#tiers();
    const { mode, refusal, patterns } = this.#subscribed;
    const upgradeDue = this.#canaries % CANARIES_PER_UPGRADE === 0;
    const isNarrowest = patterns[0] === tiers[0]?.patterns[0];
    const carrierChanged = this.#facts.notifyFlags !== null && mode !== tiers[0]?.mode;
    if (!this.#speaksResp3) this.#judge(null);
    else if (refusal !== null || (!isNarrowest && (upgradeDue || carrierChanged))) {
      this.#resubscribe(tiers);
    } else this.#runCanary();
    if (!this.#reader.mayEval || !this.#facts.capabilities.eval) {
      this.#reader.probeEval((mayWrite) => (this.#facts.capabilities.eval = mayWrite));
    }
  }

  #resubscribe(tiers: ReturnType<typeof subscriptionTiers>): void {
    const old = this.#subscribed.patterns;
    subscribe(this.#connection, tiers, (result) => {
      this.#subscribed = result;
      unsubscribe(
        this.#connection,
        old.filter((pattern) => !result.patterns.includes(pattern)),
      );
      this.#runCanary();
    });
  }

  #runCanary(): void {
    if (this.#subscribed.mode === null) {
      this.#judge(null);
      return;
    }
    this.#canary.run(this.#options.dbs[0] ?? 0, (verdict) => {
      this.#judge(verdict);
      if (this.#facts.notifyFlags === null && seesNothing(verdict)) this.#tryOtherCarrier();
    });
  }

  /** Without CONFIG only trying tells whether events come by key or by event. */
  #tryOtherCarrier(): void {
    const { mode } = this.#subscribed;
    const tiers = this.#tiers().filter((tier) => tier.mode !== mode);
    const old = this.#subscribed.patterns;
    subscribe(this.#connection, tiers, (result) => {
      if (result.mode === null) return;
      this.#subscribed = result;
      unsubscribe(this.#connection, old);
    });
  }

  #judge(verdict: CanaryVerdict | null): void {
    const { mode } = this.#subscribed;
    const outcome = this.#sight.judge(verdict, { flags: this.#facts.notifyFlags, mode });
    if (outcome.observation) this.#pending.push(outcome.observation);
    if (outcome.lost && !this.#gaps.isOpen) this.#gaps.open(outcome.lost.since, 'canary-lost');
    if (outcome.regained && this.#endGap(undefined, false)) {
      queueMicrotask(() => this.#resync(true));
    }
    this.#firstVerdict();
  }
}

function seesNothing({ proof }: CanaryVerdict): boolean {
  const seen = [proof.string, proof.hash, proof.zset, proof.release, proof.lapse];
  return seen.includes(false) && !seen.includes(true);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
