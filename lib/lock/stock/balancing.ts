import { AsyncLocalStorage } from 'node:async_hooks';
import { isLockError, LockError } from '../errors.js';
import type { Lock, LockClient } from '../contract.js';
import { homeOf, stockLock } from './keys.js';
import { planMoves } from './plan.js';
import type { Layout } from './layout.js';
import {
  deliveryField,
  inTransit,
  unitsLeft,
  type SegmentState,
  type Segments,
} from './segments.js';
import { refuse, sellAll, type WaitingOrder } from './waiting-order.js';

/** Lease of the lock while units move. After a crash in the middle, emptied segments wait that long. */
const BALANCING_LEASE_MS = 1000;

/** Answers of the script RESTOCK. */
const REPEATED = 2;
const DIFFERS = 3;

export interface BalancingParts {
  client: Pick<LockClient, 'using'>;
  segments: Segments;
  name: string;
}

/**
 * Serves the orders whose own segment has too little. One process at a time moves units (the global lock), so that
 * two never take the last unit from each other; that it is one alone is needed for progress, not for exactness: a
 * holder that was paused past its lease does no harm (`scripts.ts`, TAKE and PUT).
 */
export class Balancing {
  readonly #parts: BalancingParts;
  /** Orders of many callers are served together: in nobody's line of work, whose locks they would seem to want. */
  readonly #inNobodysTask = AsyncLocalStorage.snapshot();
  #waiting: WaitingOrder[] = [];
  #isRunning = false;

  constructor(parts: BalancingParts) {
    this.#parts = parts;
  }

  /** Takes over orders; all that wait in this process are served together. */
  add(orders: readonly WaitingOrder[], layout: Layout): void {
    this.#waiting.push(...orders);
    if (this.#isRunning || this.#waiting.length === 0) return;
    void this.#inNobodysTask(async () => await this.#run(layout));
  }

  async #run(layout: Layout): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const orders = this.#waiting;
      this.#waiting = [];
      await this.#serve(orders, layout).catch((error: unknown) => {
        for (const order of orders) order.reject(error);
      });
    }
    this.#isRunning = false;
  }

  /** Sold out is seen without the lock, so that refusing a crowd costs one reading. */
  async #serve(orders: readonly WaitingOrder[], layout: Layout): Promise<void> {
    const { segments } = this.#parts;
    let open = await this.#refuseHopeless(orders, layout);
    while (open.length > 0) {
      await this.#underLock(async (lock) => {
        while (open.length > 0 && !lock.signal.aborted) {
          await this.#moveFor(open, layout);
          open = await this.#refuseHopeless(await sellAll(segments, layout, open), layout);
        }
      });
    }
  }

  /** Adds a delivery, all to one segment in one script, and then spreads it. Throws ORDER_DIFFERS. */
  async restock(
    layout: Layout,
    { restockId, quantity }: { restockId: string; quantity: number },
  ): Promise<{ isRepeat: boolean }> {
    const line = { field: deliveryField(restockId), quantity };
    const home = homeOf(restockId, layout.segments);
    let code = 0;
    await this.#underLock(async () => {
      code = await this.#parts.segments.restock(layout, home, line);
      if (code !== DIFFERS) await this.#moveFor([], layout);
    });
    if (code === DIFFERS) throw differs(restockId, quantity);
    return { isRepeat: code === REPEATED };
  }

  /**
   * Holds the global lock while `work` runs, to its end also when the lease is lost meanwhile: what was begun has
   * to be answered, and is safe without the lock.
   */
  async #underLock(work: (lock: Lock) => Promise<void>): Promise<void> {
    const { client, name } = this.#parts;
    let done: Promise<void> | undefined;
    try {
      await client.using(stockLock(name), { ttlMs: BALANCING_LEASE_MS }, (lock) => {
        done = work(lock);
        return done;
      });
    } catch (error) {
      if (!isLockError(error) || error.code !== 'LOST') throw error;
      await done;
    }
  }

  async #moveFor(orders: readonly WaitingOrder[], layout: Layout): Promise<void> {
    const { segments } = this.#parts;
    const states = await this.#settled(layout);
    const left = states.map((state) => state.left);
    await Promise.all(planMoves(left, orders).map((move) => segments.move(layout, move)));
  }

  async #settled(layout: Layout): Promise<readonly SegmentState[]> {
    const { segments } = this.#parts;
    const { segments: states } = await segments.survey(layout);
    if (inTransit(states) === 0 || (await segments.settle(layout, states)) === 0) return states;
    return (await segments.survey(layout)).segments;
  }

  /** Refuses the orders that are larger than the whole stock; returns the others. */
  async #refuseHopeless(
    orders: readonly WaitingOrder[],
    layout: Layout,
  ): Promise<readonly WaitingOrder[]> {
    if (orders.length === 0) return orders;
    const { segments: states, isBound } = await this.#parts.segments.survey(layout);
    if (!isBound) return orders;
    const remaining = unitsLeft(states);
    for (const order of orders)
      if (order.quantity > remaining) refuse(order, this.#parts.name, remaining);
    return orders.filter(({ quantity }) => quantity <= remaining);
  }
}

function differs(restockId: string, quantity: number): LockError {
  const sentence = `The delivery ${JSON.stringify(restockId)} was added with another quantity than ${quantity} before; use an id of its own for each delivery.`;
  return new LockError('ORDER_DIFFERS', sentence, { restockId, quantity });
}
