import type { Redis } from 'ioredis';
import type { RedisConnection } from './contract.js';
import { LockError } from './errors.js';
import { fromRedis } from './from-redis.js';

const LEAST_MAJOR = 7;

function nodeOf(redis: RedisConnection): Redis | null {
  return 'nodes' in redis ? (redis.nodes('master')[0] ?? null) : redis;
}

/** Null where INFO is forbidden: what cannot be known is not held against the server. */
async function readInfo(redis: RedisConnection): Promise<Map<string, string> | null> {
  try {
    const text = await redis.info('server');
    return new Map(
      text.split('\r\n').map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1)];
      }),
    );
  } catch (error) {
    const reason = fromRedis(error);
    if (reason.code === 'REDIS_FORBIDS') return null;
    throw reason;
  }
}

/** A second connection without credentials: what the server lets it do is the proof. */
async function letsAnybodyIn(redis: Redis): Promise<boolean> {
  const stranger = redis.duplicate({
    username: undefined,
    password: undefined,
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
  });
  // Where the connection is refused, `connect` only tells that it was closed; the event tells why.
  let reason: Error | null = null;
  stranger.on('error', (error: Error) => (reason ??= error));
  try {
    await stranger.connect();
    return (await stranger.ping()) === 'PONG';
  } catch (error) {
    const refusal = fromRedis(reason ?? error);
    if (refusal.code === 'REDIS_FORBIDS') return false;
    throw refusal;
  } finally {
    // A connection that ended already would keep the process alive for two seconds more.
    if (stranger.status !== 'end') stranger.disconnect();
  }
}

/**
 * Refuses a server that cannot keep locks: older than Redis 7.0, or open to anybody who can reach it. Returns
 * its run id, or null where INFO is forbidden.
 * Throws REDIS_TOO_OLD, REDIS_WITHOUT_ACCESS_CONTROL, REDIS_UNREACHABLE.
 */
export async function checkServer(
  redis: RedisConnection,
  allowInsecure: boolean,
): Promise<string | null> {
  const info = await readInfo(redis);
  const version = info?.get('redis_version') ?? '';
  if (info && Number.parseInt(version, 10) < LEAST_MAJOR) {
    const text = `This Redis is version ${version}; the lock client needs ${LEAST_MAJOR}.0 or newer.`;
    throw new LockError('REDIS_TOO_OLD', text, { version, needed: `${LEAST_MAJOR}.0` });
  }
  const node = nodeOf(redis);
  if (!allowInsecure && node && (await letsAnybodyIn(node))) {
    throw new LockError(
      'REDIS_WITHOUT_ACCESS_CONTROL',
      'This Redis lets anybody in: anybody could take or free its locks. Set requirepass or ACL users on the server and give the client a user, or say allowInsecure for development.',
      { host: node.options.host, port: node.options.port },
    );
  }
  return info?.get('run_id') ?? null;
}
