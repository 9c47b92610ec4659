import type { RawValue } from '@/lib/formats/format';
import type { Tracked } from './tracked';

/** Why a lock is broken whose value was counted or edited. */
export const COUNTER = 'value is changed in place, as a counter is: no owner information';

const looksLikeData = (value: RawValue): boolean =>
  value.type === 'string' &&
  /^[[{]/.test(value.bytes) &&
  (value.truncated || /[\]}]$/.test(value.bytes));

/** A token became data, or another type, while the lock was held; and it stays so until a token is back. */
export function hasOtherShape(lock: Tracked, value: RawValue): boolean {
  if (lock.state === 'broken') {
    return looksLikeData(value) || value.type !== lock.format.type;
  }
  if (lock.raw === null || !lock.hold?.token) return false;
  return lock.raw.type !== value.type || (looksLikeData(value) && !looksLikeData(lock.raw));
}

/** Counted up or down, or edited, and not written whole since. */
export function isEdited(
  { format, state, brokenBecause, hold, pending }: Tracked,
  value: RawValue,
): boolean {
  if (value.type !== 'string' || format.counts) return false;
  if (hold?.token === value.bytes) return false;
  if (pending && pending.editedAt !== null) return true;
  const isWritten = pending !== null && pending.lastWriteAt !== null;
  return state === 'broken' && brokenBecause === COUNTER && !isWritten;
}
