import type { Alert } from '@/lib/protocol/alert';
import { RETURNS_WITHIN_MS, type Entry } from './alert-life';

/** Bounds what is remembered; the longest gone goes first. */
const MOST = 10_000;

/** The alerts that resolved of late and may yet return, one for each finding. */
export class Ended {
  /** By the hash of the finding's id, in order of their time. */
  readonly #entries = new Map<string, Entry>();

  /** Returns an older one of the same finding, which it takes the place of. */
  put(entry: Entry): Entry | undefined {
    const older = this.#entries.get(entry.hash);
    this.#entries.delete(entry.hash);
    this.#entries.set(entry.hash, entry);
    return older;
  }

  take(hash: string): Entry | undefined {
    const entry = this.#entries.get(hash);
    this.#entries.delete(hash);
    return entry;
  }

  /** Newest first. */
  list(): Alert[] {
    return [...this.#entries.values()].map(({ alert }) => alert).toReversed();
  }

  /** While nobody watched nothing could be seen to return: the time of what was read back begins now. */
  beginReturns(now: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.restored) entry.returnsUntil = now + RETURNS_WITHIN_MS;
    }
  }

  /** Forgets and returns what returns no more. */
  drop(now: number, hasSwept: boolean): Entry[] {
    const dropped: Entry[] = [];
    for (const [hash, entry] of this.#entries) {
      const mayReturn = now <= entry.returnsUntil || (entry.restored && !hasSwept);
      // In order of their time: the first that stays ends the loop.
      if (mayReturn && this.#entries.size <= MOST) break;
      this.#entries.delete(hash);
      dropped.push(entry);
    }
    return dropped;
  }
}
