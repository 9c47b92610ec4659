import type { LockEvent } from './contract.js';

/** Whoever listens to a client; `isThere` spares the making of events that nobody hears. */
export class Audience {
  readonly #listeners = new Set<(event: LockEvent) => void>();

  get isThere(): boolean {
    return this.#listeners.size > 0;
  }

  on(listener: (event: LockEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: LockEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // Thrown where nothing of ours is under way: the answers of other operations must not be lost with it.
        process.nextTick(() => {
          throw error;
        });
      }
    }
  }
}
