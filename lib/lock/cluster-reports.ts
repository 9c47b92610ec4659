import type { LockEvent, RedisConnection } from './contract.js';
import { REPORTS_KEPT } from './scripts/shared.js';

const DETAILS = ['holder', 'waitedMs', 'heldMs', 'fence', 'businessId'] as const;

/** Writes one entry: what it is about, then fields and their values by turns. */
export type WriteReport = (
  about: Pick<LockEvent, 'event' | 'key' | 'owner'>,
  fields: readonly string[],
) => void;

/**
 * Reports of a client on a cluster, where the stream lives in another slot than the locks, so that no script
 * can write both: the same entries, sent beside the operations, without waiting for them.
 */
export function clusterReports(redis: RedisConnection, stream: string): WriteReport {
  return ({ event, key, owner }, fields) => {
    redis
      .xadd(
        stream,
        'MAXLEN',
        '~',
        REPORTS_KEPT,
        '*',
        'key',
        key,
        'owner',
        owner,
        'event',
        event,
        ...fields,
      )
      // A report that is lost costs the console a figure, never the caller a lock.
      .catch(() => undefined);
  };
}

/** Writes what a client tells its listeners, but refusals: those are counted before they are written. */
export function reportEvents(
  write: WriteReport,
  mode: 'contended' | 'all',
): (event: LockEvent) => void {
  return (event) => {
    if (event.event === 'error' || event.event === 'refused') return;
    const isOfNoWait = !event.waitedMs && (event.event === 'granted' || event.event === 'released');
    if (mode === 'contended' && isOfNoWait) return;
    const fields = DETAILS.flatMap((name) => {
      const value = event[name];
      if (value === undefined) return [];
      return [name, typeof value === 'number' ? `${Math.round(value)}` : value];
    });
    write(event, fields);
  };
}
