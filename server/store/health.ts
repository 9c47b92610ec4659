import { CodedError } from '@/lib/protocol/errors';
import type { Breakage } from './backend';
import type { StoreHealth } from './store-contract';

const PROBE_EVERY_MS = 2000;
/** A call is made so often when others keep undoing it. */
const MOST_TRIES = 5;

/** Writes something and commits. */
export interface Trial {
  /** Opens the database anew first. */
  reopen: boolean;
  /** Writes as much as rows take, not a few bytes. */
  needsRoom: boolean;
}

/**
 * Whether the database can be used.
 *
 * | mode    | what holds                                     | leads out |
 * |---------|------------------------------------------------|-----------|
 * | ok      | calls run                                      | a call fails in a way that says the database is broken → broken |
 * | broken  | writes are refused at once, reads are tried    | the probe, every two seconds, wrote and committed → ok |
 * | stopped | everything is refused                          | – |
 */
export class Health {
  readonly #kind: StoreHealth['kind'];
  readonly #now: () => number;
  readonly #breakage: (error: unknown) => Breakage | null;
  readonly #isUndone: (error: unknown) => boolean;
  readonly #probe: (trial: Trial) => Promise<void>;
  readonly #listeners = new Set<(health: StoreHealth) => void>();
  #current: StoreHealth;
  #timer: NodeJS.Timeout | null = null;
  #probing = false;
  #reopen = false;
  #isFull = false;
  #stopped = true;

  constructor(options: {
    kind: StoreHealth['kind'];
    now: () => number;
    breakage: (error: unknown) => Breakage | null;
    /** See `Backend`. */
    isUndone: (error: unknown) => boolean;
    probe: (trial: Trial) => Promise<void>;
  }) {
    this.#kind = options.kind;
    this.#now = options.now;
    this.#breakage = options.breakage;
    this.#isUndone = options.isUndone;
    this.#probe = options.probe;
    this.#current = this.#make('The store has not been started.', null);
  }

  get current(): StoreHealth {
    return this.#current;
  }

  onChange(listener: (health: StoreHealth) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  started(): void {
    this.#stopped = false;
    this.#become(this.#make(null, this.#current.diskBytes));
  }

  stopped(): void {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#current = this.#make('The store has been stopped.', this.#current.diskBytes);
  }

  measured(diskBytes: number | null): void {
    this.#current = { ...this.#current, diskBytes };
  }

  /** Rejects with STORE_UNAVAILABLE while broken, or when this call finds that it is. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#current.ok) throw unavailable(this.#current.problem);
    return await this.read(work);
  }

  /** `work` may be done again, from its beginning, when the database undid it for the sake of another call. */
  async read<T>(work: () => Promise<T>, tries = 1): Promise<T> {
    if (this.#stopped) throw unavailable(this.#current.problem);
    try {
      return await work();
    } catch (error) {
      if (this.#isUndone(error) && tries < MOST_TRIES) return await this.read(work, tries + 1);
      const breakage = this.#breakage(error);
      if (!breakage) throw error;
      this.#break(breakage);
      throw unavailable(breakage.problem);
    }
  }

  #break({ problem, reopen, isFull }: Breakage): void {
    if (this.#stopped) return;
    this.#reopen ||= reopen;
    this.#isFull ||= isFull;
    if (this.#current.ok || this.#current.problem !== problem) {
      this.#become(this.#make(problem, this.#current.diskBytes));
    }
    this.#timer ??= setInterval(() => void this.#tryAgain(), PROBE_EVERY_MS).unref();
  }

  async #tryAgain(): Promise<void> {
    if (this.#probing || this.#stopped) return;
    this.#probing = true;
    try {
      await this.#probe({ reopen: this.#reopen, needsRoom: this.#isFull });
      this.#recovered();
    } catch (error) {
      this.#break(
        this.#breakage(error) ?? { problem: sentenceOf(error), reopen: true, isFull: false },
      );
    } finally {
      this.#probing = false;
    }
  }

  #recovered(): void {
    if (this.#stopped) return;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#reopen = false;
    this.#isFull = false;
    this.#become(this.#make(null, this.#current.diskBytes));
  }

  #make(problem: string | null, diskBytes: number | null): StoreHealth {
    return { ok: problem === null, problem, kind: this.#kind, since: this.#now(), diskBytes };
  }

  #become(health: StoreHealth): void {
    this.#current = health;
    for (const listener of this.#listeners) listener(health);
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const unavailable = (problem: string | null): CodedError =>
  new CodedError('STORE_UNAVAILABLE', problem ?? 'The store cannot be used.');
