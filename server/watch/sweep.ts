import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReadCause } from './observation';
import { pause } from './ticker';

const ALL = '*';
/**
 * Names looked at by one call. Redis does nothing else meanwhile, 0.65 µs a name: what others feel is how long a call
 * takes, and that many small calls cost as much together as few large ones.
 */
const LEAST_COUNT = 250;
/** Where the way to Redis is long, as many as the rate allows in the time that an answer takes, and no more than these. */
const MOST_COUNT = 1000;
/** The quickest of so many answers tells how long the way is: a slower one may have waited for ourselves. */
const ASKED_FOR_THE_WAY = 5;
/** Names waiting to be read before scanning goes on. */
const MAX_UNREAD = 2000;
/** Upper bounds, so that a sweep never has Redis to itself. */
const KEYS_PER_SECOND = { fast: 400_000, gentle: 100_000 };

export interface SweepProgress {
  running: boolean;
  scanned: number;
  locks: number;
  finishedAt: number | null;
}

export interface SweepOptions {
  dbs: () => readonly number[];
  connection: (db: number) => Promise<Redis>;
  /** Glob for SCAN's MATCH, asked for at each step. */
  match: () => Bytes;
  /** The lock that a name found stands for (itself, or the parent of a side key); null = none. */
  lockOf: (db: number, key: Bytes) => Bytes | null;
  read: (db: number, key: Bytes, cause: ReadCause) => void;
  drained: (limit: number) => Promise<void>;
  now: () => number;
}

/** Walks all keys by SCAN (never KEYS) and has the matching ones read. One at a time. */
export class Sweep {
  readonly #options: SweepOptions;
  readonly progress: SweepProgress = { running: false, scanned: 0, locks: 0, finishedAt: null };
  #stopped = false;
  #catchingUpSince: number | null = null;
  #endedAt = 0;
  #next: { cause: 'sweep' | 'resync'; pace: 'fast' | 'gentle' } | null = null;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** When the fast sweep that runs began (epoch ms); null = none runs. */
  get catchingUpSince(): number | null {
    return this.#catchingUpSince;
  }

  /** When the last sweep ended, whether it succeeded or not (epoch ms, 0 = never). */
  get endedAt(): number {
    return this.#endedAt;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Counts a key that the running sweep found to be there. */
  found(): void {
    if (this.progress.running) this.progress.locks++;
  }

  /**
   * Resolves when every matching key has been read. Asked for again while it runs, it runs once more:
   * what it has passed already may have changed since.
   */
  async run(cause: 'sweep' | 'resync', pace: 'fast' | 'gentle'): Promise<void> {
    if (this.progress.running) {
      this.#next = { cause, pace };
      return;
    }
    this.progress.running = true;
    this.#catchingUpSince = pace === 'fast' ? this.#options.now() : null;
    try {
      await this.#runOnce(cause, pace);
    } finally {
      this.progress.running = false;
      this.#catchingUpSince = null;
      this.#endedAt = this.#options.now();
      const next = this.#next;
      this.#next = null;
      if (next) await this.run(next.cause, next.pace);
    }
  }

  async #runOnce(cause: 'sweep' | 'resync', pace: 'fast' | 'gentle'): Promise<void> {
    if (this.#stopped) return;
    this.progress.scanned = 0;
    this.progress.locks = 0;
    for (const db of this.#options.dbs()) await this.#scan(db, cause, KEYS_PER_SECOND[pace]);
    await this.#options.drained(0);
    this.progress.finishedAt = this.#options.now();
  }

  async #scan(db: number, cause: ReadCause, keysPerSecond: number): Promise<void> {
    const redis = await this.#options.connection(db);
    const fitting = Math.round(((await wayMs(redis)) * keysPerSecond) / 1000);
    const count = Math.min(MOST_COUNT, Math.max(LEAST_COUNT, fitting));
    const begun = performance.now();
    let cursor = '0';
    let asked = 0;
    do {
      const [next, keys] = await this.#page(redis, cursor, count);
      cursor = next;
      asked += count;
      this.progress.scanned += this.#options.match() === ALL ? keys.length : count;
      for (const key of keys) {
        const lock = this.#options.lockOf(db, key.toString('latin1'));
        if (lock !== null) this.#options.read(db, lock, cause);
      }
      await this.#options.drained(MAX_UNREAD);
      const dueMs = (asked * 1000) / keysPerSecond;
      const aheadMs = dueMs - (performance.now() - begun);
      if (aheadMs > 1) await pause(aheadMs);
    } while (cursor !== '0' && !this.#stopped);
  }

  async #page(redis: Redis, cursor: string, count: number): Promise<[string, Buffer[]]> {
    const match = this.#options.match();
    const filter = match === ALL ? [] : ['MATCH', Buffer.from(match, 'latin1')];
    const reply = await redis.callBuffer('SCAN', [cursor, ...filter, 'COUNT', count]);
    const [next, keys] = Array.isArray(reply) ? reply : [];
    if (!Buffer.isBuffer(next) || !Array.isArray(keys)) throw new Error('unexpected reply of SCAN');
    return [next.toString(), keys.filter((key) => Buffer.isBuffer(key))];
  }
}

/** How long Redis takes to answer what costs nothing (ms); 0 where it may not be asked. */
async function wayMs(redis: Redis): Promise<number> {
  let quickestMs = Infinity;
  try {
    for (let i = 0; i < ASKED_FOR_THE_WAY; i++) {
      const sentAt = performance.now();
      await redis.ping();
      quickestMs = Math.min(quickestMs, performance.now() - sentAt);
    }
  } catch {
    // Forbidden, or the connection is down: scanning then says so itself, and sweeps as on a short way.
    return 0;
  }
  return quickestMs;
}
