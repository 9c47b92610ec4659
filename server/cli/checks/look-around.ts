import type { Redis } from 'ioredis';
import { INBOX, INSTANCE } from '@/lib/lock/names';
import { isRefusal } from '@/server/redis/redis-error';
import type { Patient } from './check';

const SCAN_COUNT = 1_000;
/** How long a check looks at keys, in all dbs together, so that a large Redis costs seconds and not minutes. */
const LOOK_MS = 3_000;
const MAX_INSTANCES = 1_000;

/** Dbs that hold keys, by INFO; else all that the server has; else the sixteen that it has by default. */
export async function dbsOf({ facts }: Patient): Promise<number[]> {
  if (facts.keys !== null) return [...facts.keys.keys()].sort((a, b) => a - b);
  return Array.from({ length: facts.databases ?? 16 }, (_, db) => db);
}

/** When a look that begins now has to end, on the clock of `performance.now()`. */
export const endOfLook = (): number => performance.now() + LOOK_MS;

const inGlob = (text: string): string => text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);

export interface Look {
  /** At most so many as asked for. */
  keys: string[];
  /** False when a bound ended the look before all keys were seen. */
  complete: boolean;
}

/** Keys of one db under `prefix` that `wanted` takes, up to `most`, by SCAN until `endsAt`. */
export async function lookUnder(
  redis: Redis,
  options: { prefix: string; most: number; endsAt: number; wanted?: (key: string) => boolean },
): Promise<Look> {
  const { prefix, most, endsAt, wanted = () => true } = options;
  const pattern = `${inGlob(prefix)}*`;
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    keys.push(...found.filter(wanted));
    cursor = next;
  } while (cursor !== '0' && keys.length < most && performance.now() < endsAt);
  return { keys: keys.slice(0, most), complete: cursor === '0' };
}

/** Uuids of the lock clients that listen now, in whatever db; null when this user may not ask. */
export async function listeningClients(redis: Redis): Promise<string[] | null> {
  try {
    const channels = await redis.pubsub('CHANNELS', `${inGlob(INBOX)}*`);
    if (!Array.isArray(channels)) return null;
    return channels.map((channel) => String(channel).slice(INBOX.length)).slice(0, MAX_INSTANCES);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** How many of these clients say in this db that they are alive. */
export async function clientsIn(redis: Redis, instances: readonly string[]): Promise<number> {
  // One key to a command: in a cluster they lie in different slots.
  const there = await Promise.all(instances.map((instance) => redis.exists(INSTANCE + instance)));
  return there.reduce((sum, count) => sum + count, 0);
}
