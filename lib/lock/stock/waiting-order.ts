import { isLockError, LockError } from '../errors.js';
import type { Deduction } from './contract.js';
import type { Layout } from './layout.js';
import type { Line, Segments, Sold } from './segments.js';

/** A deduction that somebody in this process awaits. */
export interface WaitingOrder extends Line {
  orderId: string;
  /** Its home: the segment that it and its repetitions go to. */
  segment: number;
  resolve: (deduction: Deduction) => void;
  reject: (error: unknown) => void;
}

/** Most orders in one script: it blocks Redis for about as many microseconds, and Lua takes 8,000 arguments. */
const BATCH = 500;

/**
 * Sells to each order from its own segment: in one script where the segments are together, else in one for each
 * segment. Answers those that are decided, also by a failure; returns those for which the segment has too little.
 */
export async function sellAll(
  segments: Segments,
  layout: Layout,
  orders: readonly WaitingOrder[],
): Promise<WaitingOrder[]> {
  const together = segments.areTogether ? [[...orders]] : [...bySegment(orders).values()];
  const short = await Promise.all(
    together.flatMap(slices).map(async (slice) => {
      try {
        const groups = [...bySegment(slice)];
        const sold = await segments.sell(layout, groups);
        return groups.flatMap(([, group], i) => answerOrders(group, sold[i]));
      } catch (error) {
        for (const order of slice) order.reject(error);
        return [];
      }
    }),
  );
  return short.flat();
}

const bySegment = (orders: readonly WaitingOrder[]): Map<number, WaitingOrder[]> =>
  Map.groupBy(orders, ({ segment }) => segment);

const slices = (orders: readonly WaitingOrder[]): WaitingOrder[][] =>
  Array.from({ length: Math.ceil(orders.length / BATCH) }, (_, index) =>
    orders.slice(index * BATCH, (index + 1) * BATCH),
  );

/** By the codes of the script SELL (`scripts.ts`). */
function answerOrders(
  orders: readonly WaitingOrder[],
  sold: Sold | LockError | undefined,
): WaitingOrder[] {
  if (sold === undefined || isLockError(sold)) {
    for (const order of orders) order.reject(sold);
    return [];
  }
  const { left, codes } = sold;
  const short: WaitingOrder[] = [];
  for (const [index, order] of orders.entries()) {
    const { orderId, quantity } = order;
    const code = codes[index];
    if (code === 0) short.push(order);
    else if (code === 1 || code === 2) {
      order.resolve({ orderId, quantity, isRepeat: code === 2, segmentRemaining: left });
    } else order.reject(code === 3 ? differs(order) : givenBack(order));
  }
  return short;
}

function differs({ orderId, quantity }: WaitingOrder): LockError {
  const sentence = `The order ${JSON.stringify(orderId)} has deducted another quantity than ${quantity} before; use an id of its own for each order.`;
  return new LockError('ORDER_DIFFERS', sentence, { orderId, quantity });
}

function givenBack({ orderId }: WaitingOrder): LockError {
  const sentence = `The order ${JSON.stringify(orderId)} was given back and cannot deduct again; use a new id.`;
  return new LockError('ORDER_GIVEN_BACK', sentence, { orderId });
}

export function refuse(order: WaitingOrder, name: string, remaining: number): void {
  const { orderId, quantity } = order;
  const sentence = `The stock ${JSON.stringify(name)} has ${remaining} left, too little for the ${quantity} of order ${JSON.stringify(orderId)}.`;
  order.reject(new LockError('OUT_OF_STOCK', sentence, { name, orderId, quantity, remaining }));
}
