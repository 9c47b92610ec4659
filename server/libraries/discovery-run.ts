import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { FormatTable } from '@/lib/formats/format';
import { said } from '@/lib/messages/in-english';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { Discovery } from '@/lib/protocol/libraries';
import { isLostConnection, isRefusal } from '@/server/redis/redis-error';
import { isOwnKey } from '@/server/watch/own-keys';
import { createClassBook } from './class-book';
import { contendedNames, type ContendedNames } from './contended-names';
import { addSample, fitsOf, type Sample } from './judge-sample';
import { createSampleReader } from './sample-reader';
import { createScanRate } from './scan-rate';

const SCAN_COUNT = 1000;
const PING_EVERY_MS = 200;
/** Values read by one run, however many classes there are. */
const MAX_SAMPLES = 50_000;
const NOBODY: ContendedNames = new Map();

export interface DiscoveryParts {
  /** An ordinary connection of that db. */
  connection: (db: number) => Promise<Redis>;
  formats: FormatTable;
  isWatched: (key: Bytes) => boolean;
  now: () => number;
}

export interface DiscoveryBudget {
  dbs: readonly number[];
  maxKeys: number;
  seconds: number;
}

interface Figures {
  scanned: number;
  watched: number;
  sampled: number;
  /** Null until Redis has said it. */
  keysInDb: number | null;
  channels: number | null;
}

/**
 * Walks keys by SCAN, reads some of each class that is not watched, and judges them by their values. Sends
 * nothing on the connection that carries the events, and slows down when Redis answers later than at first.
 */
export class DiscoveryRun {
  readonly #parts: DiscoveryParts;
  readonly #budget: DiscoveryBudget;
  readonly #classes = createClassBook();
  readonly #reader = createSampleReader();
  readonly #rate = createScanRate();
  readonly #begun = performance.now();
  readonly figures: Figures = {
    scanned: 0,
    watched: 0,
    sampled: 0,
    keysInDb: null,
    channels: null,
  };
  #tookMs: number | null = null;
  #pingedAt = 0;
  #stopped = false;
  #names: ContendedNames = NOBODY;

  constructor(parts: DiscoveryParts, budget: DiscoveryBudget) {
    this.#parts = parts;
    this.#budget = budget;
  }

  get elapsedMs(): number {
    return this.#tookMs ?? performance.now() - this.#begun;
  }

  get rate() {
    return this.#rate;
  }

  get classes() {
    return this.#classes;
  }

  /** It ends after the step that is under way. */
  stop(): void {
    this.#stopped = true;
  }

  /** What ended it. Rejects with TARGET_UNAVAILABLE, CAPABILITY_MISSING, or what Redis answered. */
  async run(): Promise<Exclude<Discovery['ended'], 'failed' | null>> {
    try {
      await this.#lookAround();
      for (const db of this.#budget.dbs) {
        const ended = await this.#scan(db);
        if (ended !== null) return ended;
      }
      return 'all-seen';
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      throw new CodedError('TARGET_UNAVAILABLE', said('unreachable:lost', {}));
    } finally {
      this.#tookMs = performance.now() - this.#begun;
    }
  }

  async #lookAround(): Promise<void> {
    let keys: number | null = 0;
    for (const db of this.#budget.dbs) {
      const size = await sizeOf(await this.#parts.connection(db));
      keys = keys === null || size === null ? null : keys + size;
    }
    this.figures.keysInDb = keys;
    const names = await contendedNames(await this.#parts.connection(this.#budget.dbs[0] ?? 0));
    this.figures.channels = names && [...names.values()].flat().length;
    this.#names = names ?? NOBODY;
  }

  async #scan(db: number): Promise<'stopped' | 'key-budget' | 'time-budget' | null> {
    const redis = await this.#parts.connection(db);
    await this.#sample(redis, this.#contended());
    let cursor = '0';
    do {
      const began = performance.now();
      const [next, keys] = await page(redis, cursor);
      cursor = next;
      const wanted = keys.filter((key) => this.#wants(key));
      await this.#sample(redis, wanted);
      await this.#ping(redis);
      const over = this.#whatIsSpent();
      if (over !== null && cursor !== '0') return over;
      await pause(this.#rate.restMs(Math.max(keys.length, 1), performance.now() - began));
    } while (cursor !== '0');
    return this.#stopped ? 'stopped' : null;
  }

  #whatIsSpent(): 'stopped' | 'key-budget' | 'time-budget' | null {
    if (this.#stopped) return 'stopped';
    if (this.figures.scanned >= this.#budget.maxKeys) return 'key-budget';
    return this.elapsedMs >= this.#budget.seconds * 1000 ? 'time-budget' : null;
  }

  /** Names that somebody waits for, whether the scan comes by them or not. */
  #contended(): Bytes[] {
    return [...this.#names.keys()].filter((key) => !this.#parts.isWatched(key));
  }

  /** Counts a key; true when it is to be read. */
  #wants(key: Bytes): boolean {
    const { formats, isWatched } = this.#parts;
    const { figures } = this;
    figures.scanned++;
    if (isWatched(key) || isOwnKey(key)) {
      figures.watched++;
      return false;
    }
    if (formats.sideKey(key)) return false;
    const isWanted = this.#classes.count(key) && figures.sampled < MAX_SAMPLES;
    return isWanted && !this.#names.has(key);
  }

  async #sample(redis: Redis, keys: readonly Bytes[]): Promise<void> {
    if (keys.length === 0) return;
    const { formats, now } = this.#parts;
    const contents = await this.#reader.read(redis, keys, (key) => formats.beside(key, null));
    this.figures.sampled += keys.length;
    keys.forEach((key, i) => {
      const listened = this.#names.get(key) ?? [];
      const sample: Sample = { key, content: contents[i] ?? null, listened };
      const found = this.#classes.of(key);
      if (found) addSample(found, sample, fitsOf(formats, sample, now()));
    });
  }

  async #ping(redis: Redis): Promise<void> {
    const at = performance.now();
    if (at - this.#pingedAt < PING_EVERY_MS) return;
    this.#pingedAt = at;
    // Of two the shorter: one may have waited for this process and not for Redis.
    this.#rate.measured(Math.min(await pingMs(redis), await pingMs(redis)));
  }
}

async function pingMs(redis: Redis): Promise<number> {
  const at = performance.now();
  await redis.ping();
  return performance.now() - at;
}

async function page(redis: Redis, cursor: string): Promise<[string, Bytes[]]> {
  const reply = await redis.callBuffer('SCAN', [cursor, 'COUNT', SCAN_COUNT]);
  const [next, keys] = Array.isArray(reply) ? reply : [];
  if (!Buffer.isBuffer(next) || !Array.isArray(keys)) throw new Error('unexpected reply of SCAN');
  const names = keys.filter((key) => Buffer.isBuffer(key)).map((key) => key.toString('latin1'));
  return [next.toString(), names];
}

/** Null where this user may not ask. */
async function sizeOf(redis: Redis): Promise<number | null> {
  try {
    return await redis.dbsize();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}
