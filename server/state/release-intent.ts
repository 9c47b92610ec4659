import type {
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

/** The operator's release did nothing: a hold that ended meanwhile was released by its holder. */
export function applyRefusal(state: TableState, refused: ReleaseRefusedObservation): void {
  const lock = findLock(state, refused.db, refused.key);
  if (!lock) return;
  if (lock.releaseIntent?.generation === refused.generation) lock.releaseIntent = null;
  const hold = lock.ended.find(({ generation }) => generation === refused.generation);
  if (hold?.endReason !== 'force-released') return;
  hold.endReason = 'released';
  hold.endedBy = null;
  reviseEnded(state, lock, hold, refused.at);
}
