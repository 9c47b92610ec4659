import type {
  ReleaseDoneObservation,
  ReleaseIntentObservation,
  ReleaseRefusedObservation,
} from '@/server/watch/observation';
import { reviseEnded } from './holds';
import { findLock, type TableState } from './table-state';

/** An operator is about to release this hold: the next `del` of this generation is theirs. */
export function applyIntent(state: TableState, intent: ReleaseIntentObservation): void {
  const lock = findLock(state, intent.db, intent.key);
  if (lock?.hold?.generation !== intent.generation) return;
  lock.releaseIntent = { generation: intent.generation, actor: intent.actor };
}

/**
 * Redis deleted the hold for this operator: where no event tells of it, and where others tried at the same
 * time, that stays true.
 */
export function applyDone(state: TableState, done: ReleaseDoneObservation): void {
  const lock = findLock(state, done.db, done.key);
  if (!lock) return;
  const { generation, actor } = done;
  lock.forceReleased = { generation, actor };
  const hold = lock.ended.find((each) => each.generation === generation);
  if (!hold || (hold.endReason === 'force-released' && hold.endedBy === actor)) return;
  hold.endReason = 'force-released';
  hold.endEvidence = 'observed';
  hold.endedBy = actor;
  reviseEnded(state, lock, hold, done.at);
}

/** The operator's release did nothing: a hold that ended meanwhile was released by its holder. */
export function applyRefusal(state: TableState, refused: ReleaseRefusedObservation): void {
  const lock = findLock(state, refused.db, refused.key);
  if (!lock || lock.forceReleased?.generation === refused.generation) return;
  if (lock.releaseIntent?.generation === refused.generation) lock.releaseIntent = null;
  const hold = lock.ended.find(({ generation }) => generation === refused.generation);
  if (hold?.endReason !== 'force-released') return;
  hold.endReason = 'released';
  hold.endedBy = null;
  reviseEnded(state, lock, hold, refused.at);
}
