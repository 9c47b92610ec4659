import { z } from 'zod';
import type { IntendedOrder, LearntOrders } from '@/server/analysers/analysis-contract';
import { createKeptDocument, type KeptDocument } from './kept-document';
import type { Store } from './store-contract';

const LEARNT = 'lock-order';
const INTENDED = 'intended-order';

/** What an operator said of one order. */
const IntendedDocument = z.object({
  target: z.string(),
  order: z.string(),
  actor: z.string(),
  reason: z.string(),
  at: z.number().int(),
});

/** A document of up to a megabyte: not for every lock that is taken. */
export const ORDERS_SAVED_EVERY_MS = 60_000;

interface Kept {
  store: Pick<Store, 'saveDocument' | 'removeDocument' | 'documents' | 'health'>;
  target: string;
}

const idOf = (target: string, order: string): string => `${target} ${order}`;

/** Writes down that an order is meant. */
export const keepIntended = ({ store, target }: Kept, order: string, by: IntendedOrder) =>
  store.saveDocument({
    kind: INTENDED,
    id: idOf(target, order),
    value: { target, order, ...by } satisfies z.infer<typeof IntendedDocument>,
  });

export const dropIntended = ({ store, target }: Kept, order: string): Promise<void> =>
  store.removeDocument(INTENDED, idOf(target, order));

/** Keeps what is learnt of the order of locks over a restart, and which orders are meant. */
export function createOrderKeeper({
  orders,
  ...kept
}: Kept & { orders: LearntOrders }): KeptDocument {
  const learnt = createKeptDocument({ ...kept, kind: LEARNT, learnt: orders });
  return {
    save: learnt.save,
    saveInTurn: learnt.saveInTurn,
    restore: async () => {
      for (const { value } of await kept.store.documents(INTENDED)) {
        const read = IntendedDocument.safeParse(value);
        if (!read.success || read.data.target !== kept.target) continue;
        const { order, actor, reason, at } = read.data;
        orders.intend(order, { actor, reason, at });
      }
      await learnt.restore();
    },
  };
}
