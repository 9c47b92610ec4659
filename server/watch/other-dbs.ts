import type { Redis } from 'ioredis';
import type { FormatTable } from '@/lib/formats/format';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import { isRefusal } from '@/server/redis/redis-error';
import { createKeyFilter, type KeyFilter } from './key-filter';
import { isOwnKey } from './own-keys';

const SCAN_COUNT = 1000;
/** Of each db at most so much is looked at before the rest. */
const MOST_STEPS = 50;
/** In one run, so that most dbs are known after the first. */
const STEPS_AT_ONCE = 25;
/** For each run that a look took, so many pass before the next. */
const REST_RUNS = 10;

/** What is known of a db that has keys and is not watched. */
export interface OtherDb {
  /** One of its keys that looks like a lock by its name. */
  lock: Bytes | null;
  /** All its names were seen. False = there may be locks, or nobody may look. */
  isComplete: boolean;
}

/** Looks for locks in the dbs that are not watched, a few steps of each at a time. */
export interface OtherDbs {
  readonly found: ReadonlyMap<number, OtherDb>;
  /** Some steps in each of the dbs. Throws what is no missing permission. */
  run: (redis: Redis, dbs: readonly number[]) => Promise<void>;
}

interface Look {
  cursor: string;
  steps: number;
  /** Runs until it is looked at again. */
  rests: number;
}

export function createOtherDbs(options: {
  /** The db that the command connection is on. */
  home: number;
  formats: FormatTable;
  /** What the operator wants watched. */
  patterns: () => readonly Bytes[];
}): OtherDbs {
  const { home, formats, patterns } = options;
  const found = new Map<number, OtherDb>();
  const looks = new Map<number, Look>();

  const looksLikeLock = (key: Bytes, isWished: KeyFilter): boolean => {
    if (isOwnKey(key) || formats.sideKey(key) !== null) return false;
    if (isWished(key)) return true;
    return formats.formats.some(
      ({ prefixes, matchesKey }) =>
        prefixes.some((prefix) => key.startsWith(prefix)) && matchesKey(key),
    );
  };

  /** Whether the look at the db has come to an end. */
  const step = async (redis: Redis, db: number, look: Look): Promise<boolean> => {
    const { next, names } = await scanIn(redis, { db, home, cursor: look.cursor });
    const wished = createKeyFilter({ prefixes: [], globs: patterns(), everything: false });
    const keys = names.map(bytesFromText);
    const lock = keys.find((key) => looksLikeLock(key, wished)) ?? null;
    look.cursor = next;
    look.steps += 1;
    if (lock === null && next !== '0' && look.steps < MOST_STEPS) return false;
    found.set(db, { lock, isComplete: next === '0' });
    const runs = Math.ceil(look.steps / STEPS_AT_ONCE);
    looks.set(db, { cursor: '0', steps: 0, rests: REST_RUNS * runs });
    return true;
  };

  const look = async (redis: Redis, db: number): Promise<void> => {
    const state = looks.get(db) ?? { cursor: '0', steps: 0, rests: 0 };
    looks.set(db, state);
    if (state.rests-- > 0) return;
    for (let i = 0; i < STEPS_AT_ONCE; i++) if (await step(redis, db, state)) return;
  };

  return {
    found,
    run: async (redis, dbs) => {
      for (const db of found.keys()) if (!dbs.includes(db)) found.delete(db);
      for (const db of looks.keys()) if (!dbs.includes(db)) looks.delete(db);
      for (const db of dbs) {
        try {
          await look(redis, db);
        } catch (error) {
          if (!isForbidden(error)) throw error;
          found.set(db, { lock: null, isComplete: false });
        }
      }
    },
  };
}

/** A transaction of which one command is refused is refused as a whole. */
const isForbidden = (error: unknown): boolean =>
  isRefusal(error) || (error instanceof Error && error.message.startsWith('EXECABORT'));

interface Step {
  next: string;
  names: string[];
}

/**
 * One step of SCAN in another db. In one transaction with the way there and back, so that nothing else of this
 * connection lands in that db.
 */
async function scanIn(
  redis: Redis,
  { db, home, cursor }: { db: number; home: number; cursor: string },
): Promise<Step> {
  const steps = redis.multi().select(db).scan(cursor, 'COUNT', SCAN_COUNT).select(home);
  const [, scanned] = (await steps.exec()) ?? [];
  const [error, reply] = scanned ?? [];
  if (error) throw error;
  const [next, names]: unknown[] = Array.isArray(reply) ? reply : [];
  return {
    next: typeof next === 'string' ? next : '0',
    names: Array.isArray(names) ? names.map(String) : [],
  };
}
