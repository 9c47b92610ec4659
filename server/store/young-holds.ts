import type { HoldRecord, LockRecord } from '@/server/state/lock-record';

/** Shorter holds are written once, when they end: most locks are, and it halves the writes. */
const WRITE_OPEN_AFTER_MS = 250;
/**
 * For so long, while a console starts, holds that it did not see begin are not written: as long as they last the next
 * start would find them again, and what writes them keeps Redis from being read.
 */
const START_LASTS_MS = 10_000;
const LEAST_SORTED_OUT = 20_000;

export interface YoungHold {
  /** When it was met (epoch ms). */
  at: number;
  lock: LockRecord;
  hold: HoldRecord;
}

type Write = (one: YoungHold) => void;

export interface YoungHoldsOptions {
  isUnwritten: (one: YoungHold) => boolean;
  /** Whether what Redis holds is still being found out. */
  isStarting: () => boolean;
  begunAt: number;
}

/** Holds that may still be open when they are old enough to be written. */
export class YoungHolds {
  readonly #isStarting: () => boolean;
  readonly #begunAt: number;
  readonly #seen: Line;
  /** Of these nobody saw the beginning. */
  readonly #met: Line;

  constructor({ isUnwritten, isStarting, begunAt }: YoungHoldsOptions) {
    this.#isStarting = isStarting;
    this.#begunAt = begunAt;
    this.#seen = new Line(isUnwritten);
    this.#met = new Line(isUnwritten);
  }

  /** `isSeen`: somebody saw it begin. */
  add(one: YoungHold, isSeen: boolean): void {
    (isSeen ? this.#seen : this.#met).add(one);
  }

  /** Hands over at most `room` of those that are due and still to be written. True = there was not room for all. */
  takeOpen({ now, room }: { now: number; room: number }, write: Write): boolean {
    const isStarting = now - this.#begunAt < START_LASTS_MS && this.#isStarting();
    const until = now - WRITE_OPEN_AFTER_MS;
    const { written, isMoreDue } = this.#seen.take({ until, room }, write);
    if (isStarting) return isMoreDue;
    return this.#met.take({ until, room: room - written }, write).isMoreDue || isMoreDue;
  }
}

/** Oldest first. */
class Line {
  readonly #isUnwritten: YoungHoldsOptions['isUnwritten'];
  #holds: YoungHold[] = [];
  /** When there are so many, those that have ended meanwhile are sorted out. */
  #sortedOutAt = LEAST_SORTED_OUT;

  constructor(isUnwritten: YoungHoldsOptions['isUnwritten']) {
    this.#isUnwritten = isUnwritten;
  }

  add(one: YoungHold): void {
    this.#holds.push(one);
  }

  take(
    { until, room }: { until: number; room: number },
    write: Write,
  ): { written: number; isMoreDue: boolean } {
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
    return { written, isMoreDue: taken < due };
  }

  #sortOut(): void {
    if (this.#holds.length <= this.#sortedOutAt) return;
    this.#holds = this.#holds.filter((one) => this.#isUnwritten(one));
    this.#sortedOutAt = Math.max(LEAST_SORTED_OUT, 2 * this.#holds.length);
  }
}
