import type { LearntOrders } from '@/server/analysers/analysis-contract';
import { createKeptDocument, type KeptDocument } from './kept-document';
import type { Store } from './store-contract';

/** A document of up to a megabyte: not for every lock that is taken. */
export const ORDERS_SAVED_EVERY_MS = 60_000;

/** Keeps what is learnt of the order of locks over a restart. */
export const createOrderKeeper = ({
  store,
  target,
  orders,
}: {
  store: Pick<Store, 'saveDocument' | 'documents' | 'health'>;
  target: string;
  orders: LearntOrders;
}): KeptDocument => createKeptDocument({ store, target, kind: 'lock-order', learnt: orders });
