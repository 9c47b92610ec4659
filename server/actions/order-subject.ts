import { said } from '@/lib/messages/in-english';
import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { CodedError } from '@/lib/protocol/errors';
import type { IntendedOrder } from '@/server/analysers/analysis-contract';
import type { QueryContext } from '@/server/queries/query-context';
import { INTENDED, intendedId } from '@/server/store/intended-orders';
import { isAbout, orSayWhoChanged, type EditedDocument } from './changed-meanwhile';
import type { Subject } from './verb';

const find = ({ analysis }: QueryContext, id: string): Deadlock | undefined =>
  analysis.orders.predicted().find((each) => each.id === id);

/** The orders of that id that contradict each other now. Throws NOT_FOUND. */
export function presentOrder(context: QueryContext, id: string): Deadlock {
  const found = find(context, id);
  if (!found) throw new CodedError('NOT_FOUND', said('not-found:order', { id }));
  return found;
}

/** It is about all locks of its classes, so that the actor must be allowed to act on the namespaces of each. */
export function orderSubject(context: QueryContext, { id }: { id: string }): Subject {
  const found = find(context, id);
  if (!found) return { db: null, key: null, namespaces: [], before: { id } };
  const namespaces = new Set<string>();
  const { classes, intended, cycle } = found;
  const before = { id, classes, intended };
  for (const { db, keyB64 } of cycle.map(({ waitsFor }) => waitsFor)) {
    const record = context.table.get(db, fromBase64Url(keyB64) ?? '');
    if (!record) return { db: null, key: null, namespaces: 'all', before };
    namespaces.add(record.namespace);
  }
  return { db: null, key: null, namespaces: [...namespaces], before };
}

/**
 * Does what `save` does to an order that was read as `version`: `intended.at`, null = nobody had said that it is meant.
 * Without a version it is changed from whatever this console knows.
 * @throws CodedError CONFLICT where somebody said or took back meanwhile that it is meant, here or on another console.
 */
export const orSayWhoMeant = <T>(
  context: QueryContext,
  { id, version }: { id: string; version: number | null | undefined },
  save: () => Promise<T>,
): Promise<T> =>
  orSayWhoChanged(context, orderDocument(context, id), async () => {
    const at = context.analysis.orders.intended(id)?.at ?? null;
    if (version === undefined || version === at) return await save();
    throw new CodedError('CONFLICT', said('document:changed', {}));
  });

const wordsOf = ({ actor, reason, at }: IntendedOrder) => ({ actor, reason, changedAt: at });

/** What is changed when an order is said to be meant, or not after all. */
const orderDocument = (
  { analysis, intendedOrders, targetId }: QueryContext,
  id: string,
): EditedDocument => ({
  ...{ kind: INTENDED, id: intendedId(targetId, id), followed: [intendedOrders.followed] },
  isChange: ({ action, before, after }) =>
    (action === 'order.intend' || action === 'order.unintend') && isAbout({ id }, after ?? before),
  now: () => {
    const intended = analysis.orders.intended(id);
    return {
      version: intended?.at ?? null,
      why: intended && said('order:intended-by', wordsOf(intended)),
    };
  },
});
