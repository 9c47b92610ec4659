import type { LockOrder, Orders } from '@/lib/protocol/deadlock';
import type { OrderedLock } from '@/lib/analysis/lock-order-shape';
import { hasOrder, isFollowed } from '@/server/analysers/order-inversion-owner';
import { toExample } from '@/server/analysers/order-inversion-words';
import type { ServerContext } from './query-context';

const MOST_ORDERS = 1000;

/** In which orders locks of two classes are taken, and of which libraries that is not known. */
export function orders(context: ServerContext): Orders {
  const { orders: learnt } = context.analysis;
  const all = learnt.orders();
  const items = all
    .slice(0, MOST_ORDERS)
    .map(({ example, ...order }): LockOrder => ({ ...order, example: toExample(example) }));
  return {
    items,
    unfollowed: unfollowed(
      context,
      all.flatMap(({ example }) => [example.first, example.second]),
    ),
    dropped: learnt.dropped + (all.length - items.length),
    leakingClasses: learnt.leakingClasses,
  };
}

/** Libraries that make a new token for each lock, but for those that were seen to take several under one. */
function unfollowed({ table }: ServerContext, seen: readonly OrderedLock[]): Orders['unfollowed'] {
  const learnt = new Set(seen.flatMap(({ db, key }) => table.get(db, key)?.format.id ?? []));
  const counts = new Map<string, number>();
  for (const { format } of table.all()) {
    if (!hasOrder(format.kind) || isFollowed(format.id) || learnt.has(format.id)) continue;
    counts.set(format.id, (counts.get(format.id) ?? 0) + 1);
  }
  return [...counts]
    .map(([format, locks]) => ({ format, locks }))
    .toSorted((a, b) => b.locks - a.locks);
}
