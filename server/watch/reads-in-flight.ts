import type { Bytes } from '@/lib/protocol/bytes';
import { rejectAll, type Batch } from './read-queue';

/**
 * The reads that were sent and not answered yet, and the `keymiss` events that reading absent keys
 * causes. Redis announces such a miss before the reply (7.0) or right behind it (7.2 and later).
 */
export class ReadsInFlight {
  readonly #keys = new Map<number, Map<Bytes, number>>();
  /** As often as begun: what one script may not read is begun again key by key. */
  readonly #batches: Batch[] = [];
  /** Reads under way whose miss has come, and answered ones whose miss has not (age in socket reads). */
  readonly #missesSeen = new Set<string>();
  readonly #missesOwed = new Map<string, number>();

  get batches(): number {
    return this.#batches.length;
  }

  get backgroundBatches(): number {
    return this.#batches.filter(({ background }) => background).length;
  }

  has(db: number, key: Bytes): boolean {
    return this.#keys.get(db)?.has(key) === true;
  }

  begin(batch: Batch): void {
    this.#batches.push(batch);
    let keys = this.#keys.get(batch.db);
    if (!keys) this.#keys.set(batch.db, (keys = new Map()));
    for (const key of batch.keys) keys.set(key, (keys.get(key) ?? 0) + 1);
  }

  end(batch: Batch): void {
    this.#batches.splice(this.#batches.indexOf(batch), 1);
    const keys = this.#keys.get(batch.db);
    for (const key of batch.keys) {
      const count = keys?.get(key) ?? 0;
      if (count > 1) keys?.set(key, count - 1);
      else keys?.delete(key);
    }
  }

  /** Nothing that was sent will be answered any more; who waits for it is told `error`. */
  clear(error: unknown): void {
    for (const { waiters } of this.#batches) rejectAll(waiters, error);
    this.#batches.length = 0;
    this.#keys.clear();
    this.#missesSeen.clear();
    this.#missesOwed.clear();
  }

  /** A read was answered: an absent key's miss has come by now or follows at once. */
  answered(db: number, key: Bytes, isAbsent: boolean): void {
    const id = `${db}:${key}`;
    const seen = this.#missesSeen.delete(id);
    if (isAbsent && !seen) this.#missesOwed.set(id, 0);
  }

  /** Whether a `keymiss` is ours. A script misses a key once, plain commands several times. */
  isOwnMiss(db: number, key: Bytes, byScript: boolean): boolean {
    const id = `${db}:${key}`;
    if (this.#missesOwed.delete(id)) return true;
    if (!this.has(db, key)) return false;
    if (byScript && this.#missesSeen.has(id)) return false;
    this.#missesSeen.add(id);
    return true;
  }

  /** One socket read is done: misses still owed from before the last one will not come. */
  chunkEnded(): void {
    for (const [id, age] of this.#missesOwed) {
      if (age > 0) this.#missesOwed.delete(id);
      else this.#missesOwed.set(id, age + 1);
    }
  }
}
