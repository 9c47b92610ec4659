import type { FleetProcess } from '@/test/support/lock-fleet/fleet';
import { createRandom, type Random } from '@/test/support/lock-fleet/random';

/** What was done to a process. Times are epoch ms; `to` is Infinity while it lasts. */
export interface Disturbance {
  process: string;
  kind: 'kill' | 'pause';
  from: number;
  to: number;
}

export interface Chaos {
  begin: (processes: number) => Promise<void>;
  /** Kills or pauses somebody, sometimes; replaces the dead and wakes the paused when it is time. */
  disturb: () => Promise<void>;
  /** Wakes everybody, lets all end in peace, and notes who does not end by itself. */
  end: () => Promise<void>;
  killAll: () => Promise<void>;
  readonly disturbances: Disturbance[];
  /** Ends that nobody caused. */
  readonly deaths: string[];
}

export interface ChaosOptions {
  seed: number;
  ttlMs: number;
  start: (name: string, generation: number) => Promise<FleetProcess>;
}

interface Slot {
  process: FleetProcess;
  pausedUntil: number | null;
}

/** Shares per call of `disturb`, which comes about ten times a second. */
const KILL_SHARE = 0.04;
const PAUSE_SHARE = 0.06;
const END_MS = 20_000;

export function createChaos(options: ChaosOptions): Chaos {
  return new RandomChaos(options);
}

class RandomChaos implements Chaos {
  readonly disturbances: Disturbance[] = [];
  readonly deaths: string[] = [];
  readonly #options: ChaosOptions;
  readonly #random: Random;
  readonly #slots: Slot[] = [];
  readonly #killed = new Set<string>();
  #generation = 0;

  constructor(options: ChaosOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  async begin(processes: number): Promise<void> {
    const starts = Array.from({ length: processes }, async () => await this.#start());
    for (const process of await Promise.all(starts))
      this.#slots.push({ process, pausedUntil: null });
  }

  async disturb(): Promise<void> {
    for (const slot of this.#slots) {
      if (slot.pausedUntil !== null && slot.pausedUntil <= Date.now()) this.#resume(slot);
    }
    const running = this.#slots.filter(({ pausedUntil }) => pausedUntil === null);
    // Half of them always run, so that the sections go on.
    if (running.length * 2 <= this.#slots.length) return;
    const slot = this.#random.pick(this.#slots);
    if (this.#random.isBelow(KILL_SHARE)) await this.#replace(slot);
    else if (this.#random.isBelow(PAUSE_SHARE) && slot.pausedUntil === null) this.#pause(slot);
  }

  async end(): Promise<void> {
    for (const slot of this.#slots) if (slot.pausedUntil !== null) this.#resume(slot);
    await Promise.all(this.#slots.map(async ({ process }) => await this.#endOne(process)));
  }

  async killAll(): Promise<void> {
    for (const { process } of this.#slots) {
      this.#killed.add(process.name);
      await process.kill();
    }
  }

  async #start(): Promise<FleetProcess> {
    const generation = ++this.#generation;
    const process = await this.#options.start(`p${generation}`, generation);
    void process.ended.then(({ code, signal, stderr }) => {
      if (this.#killed.has(process.name) || code === 0) return;
      this.deaths.push(`${process.name} ended by ${signal ?? `code ${code}`}: ${stderr}`);
    });
    return process;
  }

  /** Kills it, paused or not, and starts another. */
  async #replace(slot: Slot): Promise<void> {
    const { name } = slot.process;
    this.#killed.add(name);
    if (slot.pausedUntil !== null) this.#endPause(slot);
    this.disturbances.push({ process: name, kind: 'kill', from: Date.now(), to: Infinity });
    await slot.process.kill();
    slot.process = await this.#start();
  }

  /** Sometimes less than a lease, sometimes more than two. */
  #pause(slot: Slot): void {
    const from = Date.now();
    slot.process.stop();
    slot.pausedUntil = from + this.#options.ttlMs * (0.1 + 2.4 * this.#random.next());
    this.disturbances.push({ process: slot.process.name, kind: 'pause', from, to: Infinity });
  }

  #resume(slot: Slot): void {
    slot.process.resume();
    this.#endPause(slot);
  }

  #endPause(slot: Slot): void {
    slot.pausedUntil = null;
    const open = this.disturbances.findLast(({ process }) => process === slot.process.name);
    if (open) open.to = Date.now();
  }

  async #endOne(process: FleetProcess): Promise<void> {
    if (process.hasEnded) return;
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, END_MS, 'late').unref());
    const closed = process.ask('close', null).then(async () => await process.ended);
    try {
      if ((await Promise.race([closed, late])) !== 'late') return;
      this.deaths.push(`${process.name} did not end within ${END_MS} ms after close()`);
    } catch (error) {
      this.deaths.push(`${process.name} could not close: ${String(error)}`);
    }
  }
}
