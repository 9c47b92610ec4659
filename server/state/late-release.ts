import { reviseEnded } from './holds';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote } from './notes';

/** A release later than this after the end of the lease is not taken for one. */
const LATEST_MS = 60_000;
/** Who misses the key and then takes the lock was only looking. */
const SETTLE_MS = 200;
/** Our own reads of an absent key miss it too, just before their answer. */
const OWN_READ_MS = 20;

/** `keymiss`: somebody looked for a key that is not there, as a compare-and-delete does. */
export function onKeyMiss(state: TableState, lock: Tracked, at: number): void {
  const last = lock.ended[0];
  if (lock.hold || !last || last.endReason !== 'lease-ended' || last.end === null) return;
  if (lock.missedAt !== null || last.lateReleaseMs !== null || at - last.end > LATEST_MS) return;
  lock.missedAt = at;
  state.missed.add(lock);
}

/** A read found the key absent: a miss just before it was the read's own. */
export function dropOwnMiss(state: TableState, lock: Tracked, at: number): void {
  if (lock.missedAt === null || at - lock.missedAt > OWN_READ_MS) return;
  lock.missedAt = null;
  state.missed.delete(lock);
}

/** Misses that no new hold followed were releases by a holder that did not know its lease was over. */
export function settleMisses(state: TableState, now: number): void {
  for (const lock of state.missed) {
    const { missedAt } = lock;
    if (missedAt !== null && now - missedAt < SETTLE_MS) continue;
    state.missed.delete(lock);
    lock.missedAt = null;
    const last = lock.ended[0];
    if (missedAt === null || !last || last.end === null) continue;
    last.lateReleaseMs = Math.max(0, missedAt - last.end);
    addNote(last, 'late-release');
    addNote(last, 'overrun');
    reviseEnded(state, lock, last, now);
  }
}
