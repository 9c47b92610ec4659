import { said } from '@/lib/messages/in-english';
import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { CodedError } from '@/lib/protocol/errors';
import type { QueryContext } from '@/server/queries/query-context';
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

/** Throws CONFLICT where somebody said or took back meanwhile that the order is meant; without a version never. */
export function requireUnchanged(
  { analysis }: QueryContext,
  id: string,
  version: number | null | undefined,
): void {
  const intended = analysis.orders.intended(id);
  const at = intended?.at ?? null;
  if (version === undefined || version === at) return;
  const details = { version: at, changedBy: intended?.actor ?? null, changedAt: at };
  const why = intended ? said('order:intended-by', intended) : said('document:changed', {});
  throw new CodedError('CONFLICT', why, details);
}
