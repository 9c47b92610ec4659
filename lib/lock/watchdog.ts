import type { Hold } from './hold.js';
import type { HoldKeeper } from './household.js';

/** A renewal comes forward by up to this part of its lease to go with another's. */
const TOGETHER = 12;

/**
 * Renews every hold of a client when a third of its lease has gone, by one timer: it is set for the earliest
 * of them, and what is due together goes to Redis together. A lock that is released before costs nothing.
 */
export class Watchdog implements HoldKeeper {
  readonly #holds = new Set<Hold>();
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Infinity;

  get holds(): ReadonlySet<Hold> {
    return this.#holds;
  }

  find(task: string, key: string): Hold | undefined {
    for (const hold of this.#holds) {
      if (hold.claim.task === task && hold.claim.way.key === key) return hold;
    }
    return undefined;
  }

  add(hold: Hold): void {
    this.#holds.add(hold);
    this.hurry(hold);
  }

  remove(hold: Hold): void {
    this.#holds.delete(hold);
  }

  hurry(hold: Hold): void {
    this.#wakeAt(Math.min(hold.renewAt, hold.expiresAt));
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerAt = Infinity;
  }

  #wakeAt(at: number): void {
    if (at >= this.#timerAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(this.#look, Math.max(0, Math.ceil(at - performance.now())));
    this.#timer.unref();
  }

  readonly #look = (): void => {
    this.#timer = null;
    this.#timerAt = Infinity;
    const now = performance.now();
    let next = Infinity;
    for (const hold of this.#holds) {
      if (now >= hold.expiresAt) {
        hold.expire();
        continue;
      }
      if (now >= hold.renewAt - hold.ttlMs / TOGETHER && !hold.isRenewing) hold.renew();
      next = Math.min(next, hold.isRenewing ? hold.expiresAt : hold.renewAt);
    }
    if (next < Infinity) this.#wakeAt(next);
  };
}
