import type { HoldRecord, LockRecord } from '@/server/state/lock-record';

const LEAST_SORTED_OUT = 20_000;

export interface YoungHold {
  /** When it was met (epoch ms). */
  at: number;
  lock: LockRecord;
  hold: HoldRecord;
}

/** Holds that may still be open when they are old enough to be written, oldest first. */
export class YoungHolds {
  readonly #isUnwritten: (one: YoungHold) => boolean;
  #holds: YoungHold[] = [];
  /** When there are so many, those that have ended meanwhile are sorted out. */
  #sortedOutAt = LEAST_SORTED_OUT;

  constructor(isUnwritten: (one: YoungHold) => boolean) {
    this.#isUnwritten = isUnwritten;
  }

  add(one: YoungHold): void {
    this.#holds.push(one);
  }

  /**
   * Hands over at most `room` of those that were met at `until` or earlier and are still to be written. True = there
   * was not room for all.
   */
  takeOpen(
    { until, room }: { until: number; room: number },
    write: (one: YoungHold) => void,
  ): boolean {
    const next = this.#holds.findIndex(({ at }) => at > until);
    const due = next === -1 ? this.#holds.length : next;
    let [taken, written] = [0, 0];
    for (const one of this.#holds) {
      if (taken >= due || written >= room) break;
      taken++;
      if (!this.#isUnwritten(one)) continue;
      write(one);
      written++;
    }
    this.#holds.splice(0, taken);
    this.#sortOut();
    return taken < due;
  }

  #sortOut(): void {
    if (this.#holds.length <= this.#sortedOutAt) return;
    this.#holds = this.#holds.filter((one) => this.#isUnwritten(one));
    this.#sortedOutAt = Math.max(LEAST_SORTED_OUT, 2 * this.#holds.length);
  }
}
