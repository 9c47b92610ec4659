import type { Balancing } from './balancing.js';
import type { Deduction } from './contract.js';
import { homeOf } from './keys.js';
import type { KnownLayout } from './layout.js';
import { orderField, type Segments } from './segments.js';
import { sellAll, type WaitingOrder } from './waiting-order.js';

export interface CounterParts {
  segments: Segments;
  balancing: Balancing;
  layout: KnownLayout;
}

/**
 * The tier inside the process: deductions that are asked for in one turn of the event loop go to Redis together,
 * and each caller gets its own answer.
 */
export class Counter {
  readonly #parts: CounterParts;
  #orders: WaitingOrder[] = [];

  constructor(parts: CounterParts) {
    this.#parts = parts;
  }

  async deduct(quantity: number, orderId: string): Promise<Deduction> {
    return await new Promise((resolve, reject) => {
      // Not a microtask: requests of one turn arrive in callbacks of their own.
      if (this.#orders.length === 0) setImmediate(() => void this.#serve());
      this.#orders.push({
        orderId,
        field: orderField(orderId),
        quantity,
        segment: 0,
        resolve,
        reject,
      });
    });
  }

  async #serve(): Promise<void> {
    const orders = this.#orders;
    this.#orders = [];
    const { segments, balancing } = this.#parts;
    try {
      const layout = await this.#parts.layout.get();
      for (const order of orders) order.segment = homeOf(order.orderId, layout.segments);
      balancing.add(await sellAll(segments, layout, orders), layout);
    } catch (error) {
      for (const order of orders) order.reject(error);
    }
  }
}
