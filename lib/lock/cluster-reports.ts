import type { LockEvent, RedisConnection } from './contract.js';

const KEPT = 10_000;
const DETAILS = ['holder', 'waitedMs', 'heldMs', 'fence', 'businessId'] as const;

/**
 * Reports of a client on a cluster, where the stream lives in another slot than the locks, so that no script
 * can write both: the same entries, sent beside the operations, without waiting for them.
 */
export function reportOnCluster(
  redis: RedisConnection,
  stream: string,
  mode: 'contended' | 'all',
): (event: LockEvent) => void {
  return (event) => {
    const isOfNoWait = !event.waitedMs && (event.event === 'granted' || event.event === 'released');
    if (event.event === 'error' || (mode === 'contended' && isOfNoWait)) return;
    const fields = DETAILS.flatMap((name) => {
      const value = event[name];
      if (value === undefined) return [];
      return [name, typeof value === 'number' ? `${Math.round(value)}` : value];
    });
    const about = ['key', event.key, 'owner', event.owner, 'event', event.event];
    redis
      .xadd(stream, 'MAXLEN', '~', KEPT, '*', ...about, ...fields)
      // A report that is lost costs the console a figure, never the caller a lock.
      .catch(() => undefined);
  };
}
