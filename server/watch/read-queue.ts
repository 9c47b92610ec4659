import type { Bytes } from '@/lib/protocol/bytes';
import type { ReadCause, ReadObservation } from './observation';

const KEYS_PER_BATCH = 100;
/**
 * Nobody waits for the background, and everybody who uses the Redis waits for a script to end: some 5 µs a key, from
 * 10 keys on the same for each however many there are.
 */
const KEYS_PER_BACKGROUND_BATCH = 30;

/** Somebody who asked for one key and waits for the answer. */
export interface Waiter {
  resolve: (observation: ReadObservation) => void;
  reject: (error: unknown) => void;
}

/** Tells everybody who waits for one of these keys that no answer comes. */
export function rejectAll(waiters: ReadonlyMap<Bytes, readonly Waiter[]>, error: unknown): void {
  for (const each of waiters.values()) for (const waiter of each) waiter.reject(error);
}

/** Keys of one db that are read by one script. */
export interface Batch {
  db: number;
  keys: Bytes[];
  causes: ReadCause[];
  /** Keys that were asked for with the cause `check` before the batch was made, whatever else asked for them. */
  checked: Set<Bytes>;
  waiters: Map<Bytes, Waiter[]>;
  background: boolean;
}

/** Events and questions are answered at once, the rest when nothing else is to do. */
const isBackground = (cause: ReadCause): boolean =>
  cause === 'sweep' || cause === 'reconcile' || cause === 'resync';

/** In this order; `doubtful` are events of keys that may be no locks at all. */
export type Urgency = 'urgent' | 'doubtful' | 'background';

type PerDb<T> = Map<number, Map<Bytes, T>>;

function mapOf<T>(perDb: PerDb<T>, db: number): Map<Bytes, T> {
  let map = perDb.get(db);
  if (!map) perDb.set(db, (map = new Map()));
  return map;
}

/** What is to be read: each key once, however often it is asked for. */
export class ReadQueue {
  readonly #urgent: PerDb<ReadCause> = new Map();
  readonly #doubtful: PerDb<ReadCause> = new Map();
  /** Doubtful keys as they came; what was read or withdrawn meanwhile stays until it is met. */
  readonly #doubtfulOrder = new Map<number, Bytes[]>();
  readonly #background: PerDb<ReadCause> = new Map();
  readonly #checked = new Map<number, Set<Bytes>>();
  readonly #waiting: PerDb<Waiter[]> = new Map();

  /** Number of keys that wait in the background. */
  get backlog(): number {
    let count = 0;
    for (const keys of this.#background.values()) count += keys.size;
    return count;
  }

  get hasUrgent(): boolean {
    for (const keys of this.#urgent.values()) if (keys.size > 0) return true;
    for (const keys of this.#doubtful.values()) if (keys.size > 0) return true;
    return false;
  }

  add(db: number, key: Bytes, cause: ReadCause, isLikely = true): void {
    if (cause === 'check') this.#noteChecked(db, key);
    const urgency = isBackground(cause) ? 'background' : isLikely ? 'urgent' : 'doubtful';
    if (urgency !== 'urgent' && this.#urgent.get(db)?.has(key)) return;
    if (urgency === 'background' && this.#doubtful.get(db)?.has(key)) return;
    if (urgency === 'urgent') this.#doubtful.get(db)?.delete(key);
    const keys = mapOf(this.#of(urgency), db);
    if (urgency === 'doubtful' && !keys.has(key)) this.#noteDoubtful(db, key);
    if (cause === 'event' || !keys.has(key)) keys.set(key, cause);
  }

  /** The key is gone: an event's read of it would tell nothing. Questions and rotations still get theirs. */
  withdraw(db: number, key: Bytes): void {
    if (this.#waiting.get(db)?.has(key)) return;
    for (const perDb of [this.#urgent, this.#doubtful]) {
      const keys = perDb.get(db);
      if (keys?.get(key) === 'event') keys.delete(key);
    }
  }

  /** The waiter gets the answer of the next batch that has the key. */
  wait(db: number, key: Bytes, waiters: readonly Waiter[]): void {
    const waiting = mapOf(this.#waiting, db);
    waiting.set(key, [...(waiting.get(key) ?? []), ...waiters]);
  }

  #of(urgency: Urgency): PerDb<ReadCause> {
    if (urgency === 'background') return this.#background;
    return urgency === 'urgent' ? this.#urgent : this.#doubtful;
  }

  take(urgency: Urgency): Batch | null {
    const background = urgency === 'background';
    const most = background ? KEYS_PER_BACKGROUND_BATCH : KEYS_PER_BATCH;
    for (const [db, keys] of this.#of(urgency)) {
      if (keys.size === 0) continue;
      const batch: Batch = {
        ...{ db, keys: [], causes: [], background },
        ...{ checked: new Set(), waiters: new Map() },
      };
      for (const [key, cause] of urgency === 'doubtful' ? this.#newest(db, keys) : keys) {
        batch.keys.push(key);
        batch.causes.push(cause);
        keys.delete(key);
        if (this.#checked.get(db)?.delete(key)) batch.checked.add(key);
        this.#moveWaiters(batch, key);
        if (batch.keys.length === most) break;
      }
      return batch;
    }
    return null;
  }

  #noteChecked(db: number, key: Bytes): void {
    const keys = this.#checked.get(db);
    if (keys) keys.add(key);
    else this.#checked.set(db, new Set([key]));
  }

  #noteDoubtful(db: number, key: Bytes): void {
    let order = this.#doubtfulOrder.get(db);
    if (!order) this.#doubtfulOrder.set(db, (order = []));
    order.push(key);
  }

  /** The newest first: behind a flood of other keys a lock would be read when it is long over. */
  *#newest(db: number, keys: Map<Bytes, ReadCause>): Iterable<[Bytes, ReadCause]> {
    const order = this.#doubtfulOrder.get(db) ?? [];
    for (let key = order.pop(); key !== undefined; key = order.pop()) {
      const cause = keys.get(key);
      if (cause !== undefined) yield [key, cause];
    }
  }

  /** Forgets everything; who waits is told `error`. */
  clear(error: unknown): void {
    for (const keys of this.#waiting.values()) rejectAll(keys, error);
    this.#urgent.clear();
    this.#doubtful.clear();
    this.#doubtfulOrder.clear();
    this.#background.clear();
    this.#checked.clear();
    this.#waiting.clear();
  }

  #moveWaiters(batch: Batch, key: Bytes): void {
    const waiting = this.#waiting.get(batch.db);
    const waiters = waiting?.get(key);
    if (!waiters) return;
    batch.waiters.set(key, waiters);
    waiting?.delete(key);
  }
}
