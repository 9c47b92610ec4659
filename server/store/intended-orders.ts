import { z } from 'zod';
import type { IntendedOrder, LearntOrders } from '@/server/analysers/analysis-contract';
import type { Followed } from './follow-documents';
import type { Store, VersionedDocument } from './store-contract';

export const INTENDED = 'intended-order';

/** What an operator said of one order. */
const IntendedDocument = z.object({
  target: z.string(),
  order: z.string(),
  actor: z.string(),
  reason: z.string(),
  at: z.number().int(),
});

/** Which orders of one target are meant, as it is on disk. */
export interface IntendedOrders {
  /** Reads what is kept. */
  restore: () => Promise<void>;
  /**
   * Both are on disk before they count. Throw CONFLICT where another console of the same database said something else
   * of the order since this one read it.
   */
  intend: (order: string, by: IntendedOrder) => Promise<void>;
  unintend: (order: string) => Promise<void>;
  followed: Followed;
}

/** Under which id what is said of the order is kept. */
export const intendedId = (target: string, order: string): string => `${target} ${order}`;

export function createIntendedOrders({
  store,
  target,
  orders,
}: {
  store: Pick<Store, 'saveDocument' | 'removeDocument' | 'documents'>;
  target: string;
  orders: Pick<LearntOrders, 'intend' | 'unintend' | 'intendOnly'>;
}): IntendedOrders {
  /** Of what is on disk, by the document's id; also of what only another version understands. */
  let versions = new Map<string, number>();
  let edits = 0;

  const replace = (documents: readonly VersionedDocument[]): void => {
    const meant = new Map<string, IntendedOrder>();
    versions = new Map(documents.map(({ id, version }) => [id, version]));
    for (const { value } of documents) {
      const read = IntendedDocument.safeParse(value);
      if (!read.success || read.data.target !== target) continue;
      const { order, actor, reason, at } = read.data;
      meant.set(order, { actor, reason, at });
    }
    orders.intendOnly(meant);
  };

  return {
    restore: async () => replace(await store.documents(INTENDED)),
    intend: async (order, by) => {
      const value = { target, order, ...by } satisfies z.infer<typeof IntendedDocument>;
      const id = intendedId(target, order);
      const known = versions.get(id) ?? null;
      versions.set(id, await store.saveDocument({ kind: INTENDED, id, value }, known));
      orders.intend(order, by);
      edits += 1;
    },
    unintend: async (order) => {
      const id = intendedId(target, order);
      await store.removeDocument(INTENDED, id, versions.get(id));
      versions.delete(id);
      orders.unintend(order);
      edits += 1;
    },
    followed: { kind: INTENDED, edits: () => edits, replace },
  };
}
