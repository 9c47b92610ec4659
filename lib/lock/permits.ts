import type { Operation, OperationCode, Sender } from './sender.js';

/** Sends a semaphore's operations: its script wants the number of permits before each one's extra. */
export class Permits implements Sender {
  readonly #sender: Sender;
  readonly #permits: number;

  constructor(sender: Sender, permits: number) {
    this.#sender = sender;
    this.#permits = permits;
  }

  add(
    operation: Operation,
    code: OperationCode,
    key: string,
    task: string,
    ttlMs: number,
    extra: string,
  ): void {
    this.#sender.add(operation, code, key, task, ttlMs, `${this.#permits} ${extra}`);
  }
}
