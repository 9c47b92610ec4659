import type { Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import { namedHolder } from '@/server/analysers/overrun-counts';
import type { ServerContext } from './query-context';

/** Holders told of one lock: who holds it now and who held it last. */
const MOST_HOLDERS = 8;

/** How often the leases of a lock ended while it was held, and those of its holders, as a member of its detail. */
export function overrunsOf(
  { analysis, table, now }: Pick<ServerContext, 'analysis' | 'table' | 'now'>,
  db: number,
  key: Bytes,
): Pick<LockDetail, 'overruns'> {
  const at = now();
  const lock = analysis.overruns.ofLock({ db, key }, at);
  const record = table.get(db, key);
  const holds = record ? [...(record.hold ? [record.hold] : []), ...record.ended] : [];
  const named = holds.flatMap((hold) => namedHolder(hold) ?? []);
  const distinct = new Map(named.map((holder) => [`${holder.kind}:${holder.name}`, holder]));
  const holders = [...distinct.values()].slice(0, MOST_HOLDERS).flatMap((holder) => {
    const overrun = analysis.overruns.ofHolder(holder, at);
    return overrun ? [{ ...holder, ...overrun }] : [];
  });
  return lock || holders.length > 0 ? { overruns: { lock, holders } } : {};
}
