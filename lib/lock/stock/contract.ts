import type { LockClient, RedisConnection } from '../contract.js';

export interface StockOptions {
  /** Takes the global lock `stock:<name>`: for set-up, restocking and balancing, never for a deduction. */
  client: Pick<LockClient, 'using'>;
  /** Where the stock lives: one Redis or a Cluster. Need not be the client's. */
  redis: RedisConnection;
  /** No braces: they would tie a Cluster's keys together. */
  name: string;
  /** Into how many parts a set-up divides the stock, 1–64. Default 10. Afterwards the stored number counts. */
  segments?: number;
  /** Before every key; default `lockscope:stock:`. No braces. */
  prefix?: string;
  /** How long, at least, an order id is known after its deduction; at most twice that. Default 24 h, at least 1 s. */
  orderMemoryMs?: number;
}

export interface Deduction {
  orderId: string;
  quantity: number;
  /** True when an earlier call with this id had deducted already, and so this one did not. */
  isRepeat: boolean;
  /** What its segment had left right after; the whole stock has at least that. */
  segmentRemaining: number;
}

export interface StockLevel {
  /** Units that can still be sold, those on their way between segments included. */
  remaining: number;
  /** Units deducted and not given back. */
  sold: number;
  /** All that ever came in. `sold + remaining === total` when `evidence` is `observed`. */
  total: number;
  /** Of `remaining`: taken from one segment and not yet in the other. */
  inTransit: number;
  /** What each segment has. */
  segments: readonly number[];
  /**
   * `observed`: the figures of one moment. `inferred`: the segments of a Cluster were read one after another
   * while they changed; each figure was right for its segment when it was read.
   */
  evidence: 'observed' | 'inferred';
}

/** A quantity is a positive whole number of units. Every method also throws REDIS_…, BAD_OPTIONS and WRONG_TYPE. */
export interface Stock {
  readonly name: string;
  /**
   * Creates the stock with `quantity` units (0 is allowed), once: a second call with the same figures changes
   * nothing and finishes what a crashed one began. Throws STOCK_DIFFERS when it stands with other figures.
   */
  setUp: (quantity: number) => Promise<{ isNew: boolean }>;
  /**
   * Deducts all of `quantity` or nothing. Throws OUT_OF_STOCK when at some moment during the call the whole stock
   * was smaller, STOCK_NOT_SET_UP, STOCK_LOST, ORDER_DIFFERS, ORDER_GIVEN_BACK, ACQUISITION_TIMEOUT. After a
   * REDIS_UNREACHABLE the outcome is open: call again with the same id, or give the order back.
   */
  deduct: (quantity: number, order: { orderId: string }) => Promise<Deduction>;
  /**
   * Puts back what the order deducted. Afterwards it holds nothing and cannot deduct any more, also where a
   * deduction of it is still on its way. `quantity` 0: nothing was known of it.
   */
  giveBack: (orderId: string) => Promise<{ quantity: number; isRepeat: boolean }>;
  /** Adds units, once for each `restockId` (the delivery's number). Throws as `deduct`. */
  restock: (quantity: number, delivery: { restockId: string }) => Promise<{ isRepeat: boolean }>;
  remaining: () => Promise<StockLevel>;
}
