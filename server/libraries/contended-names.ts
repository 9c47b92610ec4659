import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { isRefusal } from '@/server/redis/redis-error';

/** Names of locks, each with the wake-up channels of it that somebody listens to. */
export type ContendedNames = ReadonlyMap<Bytes, readonly Bytes[]>;

const PATTERN = 'redisson_*';
/** More waiting clients than that need no discovery. */
const MAX_CHANNELS = 10_000;

/** What stands before a lock's name in Redisson's channels (RedissonObject.prefixName and its users). */
const PREFIXES: readonly Bytes[] = [
  'redisson_lock__channel:',
  'redisson_rwlock:',
  'redisson_sc:',
  'redisson_countdownlatch__channel__',
];

/** A waiter of the fair lock listens on the lock's channel followed by its own id. */
const WAITER = /:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:\d+$/;

/** The name of the lock whose waiters listen there; null where the channel is of something else. */
function nameInChannel(channel: Bytes): Bytes | null {
  const prefix = PREFIXES.find((each) => channel.startsWith(each));
  if (prefix === undefined) return null;
  const rest = channel.slice(prefix.length).replace(WAITER, '');
  const inner = rest.slice(1, -1);
  const name = rest.startsWith('{') && rest.endsWith('}') && !inner.includes('{') ? inner : rest;
  return name === '' ? null : name;
}

/** Asks whom clients of Redisson wait for. Null where this user may not ask. */
export async function contendedNames(redis: Redis): Promise<ContendedNames | null> {
  const channels = await channelsOf(redis, 'CHANNELS');
  // Before 7.0 there are no sharded channels to ask for.
  const sharded = await channelsOf(redis, 'SHARDCHANNELS');
  if (channels === null) return null;
  const names = new Map<Bytes, Bytes[]>();
  for (const channel of [...channels, ...(sharded ?? [])].slice(0, MAX_CHANNELS)) {
    const name = nameInChannel(channel);
    if (name !== null) names.set(name, [...(names.get(name) ?? []), channel]);
  }
  return names;
}

/** How versions before 7.0 say it. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Error && /^ERR Unknown PUBSUB subcommand/i.test(error.message);

async function channelsOf(redis: Redis, which: string): Promise<Bytes[] | null> {
  try {
    const reply = await redis.callBuffer('PUBSUB', [which, PATTERN]);
    const channels = Array.isArray(reply) ? reply : [];
    return channels.flatMap((each) => (Buffer.isBuffer(each) ? [each.toString('latin1')] : []));
  } catch (error) {
    if (isRefusal(error) || isUnknown(error)) return null;
    throw error;
  }
}
