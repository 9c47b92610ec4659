import { z } from 'zod';
import { isCodedError } from '@/lib/protocol/errors';
import type { IntendedOrder, LearntOrders } from '@/server/analysers/analysis-contract';
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

/** Keeps what is learnt of the order of locks over a restart. */
export function createOrderKeeper({ store, target, orders }: Kept & { orders: LearntOrders }) {
  let savedVersion = 0;
  return {
    /** Takes over what is kept of this target; what another version of the console wrote otherwise is learnt anew. */
    restore: async (): Promise<void> => {
      for (const { id, value } of await store.documents(LEARNT)) {
        if (id === target) orders.restore(value);
      }
      for (const { value } of await store.documents(INTENDED)) {
        const read = IntendedDocument.safeParse(value);
        if (!read.success || read.data.target !== target) continue;
        const { order, actor, reason, at } = read.data;
        orders.intend(order, { actor, reason, at });
      }
      savedVersion = orders.version;
    },
    /** Writes it where something was learnt since the last time. */
    save: async (): Promise<void> => {
      const { version } = orders;
      if (version === savedVersion || !store.health.ok) return;
      try {
        await store.saveDocument({ kind: LEARNT, id: target, value: orders.save() });
        savedVersion = version;
      } catch (error) {
        // The store has just broken: its health says so, and the next turn tries again.
        if (!isCodedError(error)) throw error;
      }
    },
  };
}
