import type { EndReason } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Series } from './rollup-sums';

/** What is counted of a lock, from when it is first held or waited for until the table forgets it. */
export interface TrackedLock {
  open: OpenHold | null;
  waiting: { series: Series; count: number } | null;
  /** How it last ended, for corrections of that. */
  ended: EndedHold | null;
}

export interface OpenHold {
  generation: number;
  series: Series;
  /** Counted from here; null = from when it was met, its beginning is not ours to tell. */
  since: number | null;
  writtenAt: number | null;
}

export interface EndedHold {
  generation: number;
  series: Series;
  end: number;
  reason: EndReason;
}

/**
 * The locks that the recorder counts. One that is idle stays: it is most likely taken again, and to let it go and meet
 * it anew with every hold would cost more than all else that is done with it here.
 */
export class TrackedLocks {
  readonly #locks = new Map<LockRecord, TrackedLock>();

  find(lock: LockRecord): TrackedLock | undefined {
    return this.#locks.get(lock);
  }

  /** Tracked from now on, if it was not yet. */
  of(lock: LockRecord): TrackedLock {
    let tracked = this.#locks.get(lock);
    if (!tracked) this.#locks.set(lock, (tracked = { open: null, waiting: null, ended: null }));
    return tracked;
  }

  openOf(lock: LockRecord, hold: HoldRecord): OpenHold | null {
    return openIn(this.find(lock), hold);
  }

  forget(lock: LockRecord): void {
    this.#locks.delete(lock);
  }
}

export function openIn(
  tracked: TrackedLock | undefined,
  { generation }: HoldRecord,
): OpenHold | null {
  const open = tracked?.open;
  return open?.generation === generation ? open : null;
}
