import type { Cluster, Redis } from 'ioredis';
import type { RedisConnection } from '../contract.js';

export interface Wake {
  close: () => void;
}

/** Nothing is given up while the connection is away: messages are hints, and lanes look by themselves too. */
const LISTENER = { maxRetriesPerRequest: null, enableOfflineQueue: true, autoResubscribe: true };

/** Only a Cluster's connection has this flag set, and each kind is duplicated in its own way. */
const isCluster = (redis: RedisConnection): redis is Cluster => redis.isCluster;

function listener(redis: RedisConnection): Redis | Cluster {
  return isCluster(redis)
    ? redis.duplicate([], { enableOfflineQueue: true })
    : redis.duplicate(LISTENER);
}

/**
 * Rings a task's bell when its channel says something, and all bells after a reconnection, during which messages
 * were missed. Resolves once it listens.
 */
export async function listen(
  redis: RedisConnection,
  bells: ReadonlyMap<string, () => void>,
  onError: (error: unknown) => void,
): Promise<Wake> {
  const connection = listener(redis);
  connection.on('error', onError);
  connection.on('ready', () => {
    for (const ring of bells.values()) ring();
  });
  connection.on('message', (channel: string) => bells.get(channel)?.());
  if (bells.size > 0) await connection.subscribe(...bells.keys());
  return { close: () => connection.disconnect() };
}
