import type { EndReason } from '@/lib/protocol/lock';
import { lockId, type HoldRecord, type LockRecord } from '@/server/state/lock-record';
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
  readonly #locks = new Map<string, TrackedLock>();
  /** Oldest first. */
  readonly #ended = new Map<string, EndedHold>();

  find({ db, key }: LockRecord): TrackedLock | undefined {
    return this.#locks.get(lockId(db, key));
  }

  /** Tracked from now on, if it was not yet. */
  of({ db, key }: LockRecord): TrackedLock {
    const id = lockId(db, key);
    let tracked = this.#locks.get(id);
    if (!tracked) this.#locks.set(id, (tracked = { open: null, waiting: null }));
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
    if (tracked && !tracked.open && !tracked.waiting) this.#locks.delete(lockId(lock.db, lock.key));
  }

  lastEnd({ db, key }: LockRecord): EndedHold | undefined {
    return this.#ended.get(lockId(db, key));
  }

  rememberEnd({ db, key }: LockRecord, ended: EndedHold): void {
    const id = lockId(db, key);
    this.#ended.delete(id);
    this.#ended.set(id, ended);
    if (this.#ended.size <= REMEMBERED_ENDS) return;
    for (const oldest of this.#ended.keys()) {
      this.#ended.delete(oldest);
      return;
    }
  }

  forgetEnd({ db, key }: LockRecord): void {
    this.#ended.delete(lockId(db, key));
  }
}
