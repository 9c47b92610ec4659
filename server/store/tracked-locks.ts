import type { EndReason } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Series } from './rollup-sums';

const REMEMBERED_ENDS = 20_000;

/** What is known of a lock that is held or waited for. */
export interface TrackedLock {
  open: {
    generation: number;
    series: Series;
    /** Counted from here; null = from when it was met, its beginning is not ours to tell. */
    since: number | null;
    writtenAt: number | null;
  } | null;
  waiting: { series: Series; count: number } | null;
}

export interface EndedHold {
  generation: number;
  series: Series;
  end: number;
  reason: EndReason;
}

/** The locks that the recorder counts for now, and how they last ended, for corrections of that. */
export class TrackedLocks {
  readonly #locks = new Map<LockRecord, TrackedLock>();
  /** Oldest first. */
  readonly #ended = new Map<LockRecord, EndedHold>();

  find(lock: LockRecord): TrackedLock | undefined {
    return this.#locks.get(lock);
  }

  /** Tracked from now on, if it was not yet. */
  of(lock: LockRecord): TrackedLock {
    let tracked = this.#locks.get(lock);
    if (!tracked) this.#locks.set(lock, (tracked = { open: null, waiting: null }));
    return tracked;
  }

  openOf(lock: LockRecord, { generation }: HoldRecord): TrackedLock['open'] {
    const open = this.find(lock)?.open;
    return open?.generation === generation ? open : null;
  }

  close(lock: LockRecord): void {
    const tracked = this.find(lock);
    if (!tracked) return;
    tracked.open = null;
    this.dropIdle(lock);
  }

  /** Lets go of a lock that is neither held nor waited for. */
  dropIdle(lock: LockRecord): void {
    const tracked = this.find(lock);
    if (tracked && !tracked.open && !tracked.waiting) this.#locks.delete(lock);
  }

  lastEnd(lock: LockRecord): EndedHold | undefined {
    return this.#ended.get(lock);
  }

  rememberEnd(lock: LockRecord, ended: EndedHold): void {
    this.#ended.delete(lock);
    this.#ended.set(lock, ended);
    if (this.#ended.size <= REMEMBERED_ENDS) return;
    for (const oldest of this.#ended.keys()) {
      this.#ended.delete(oldest);
      return;
    }
  }

  forgetEnd(lock: LockRecord): void {
    this.#ended.delete(lock);
  }
}
