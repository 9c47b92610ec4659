import type { LockRef } from '@/server/state/change';
import { lockId } from '@/server/state/lock-record';
import type { Observation } from '@/server/watch/observation';
import type { Watch } from '@/server/watch/watch-contract';

/** Reads that judging asked for, to see whether a finding is still so, and whether all of them have come. */
export interface CheckRound {
  /** What was asked for before is waited for no longer. */
  ask: (refs: readonly LockRef[]) => void;
  note: (observations: readonly Observation[]) => void;
  /** True once after the last of them came. */
  takeAnswered: () => boolean;
}

export function createCheckRound(read: Watch['read']): CheckRound {
  let open = new Set<string>();
  let isAnswered = false;
  return {
    ask: (refs) => {
      isAnswered = false;
      open = new Set(refs.map(({ db, key }) => lockId(db, key)));
      read(refs, 'check');
    },
    note: (observations) => {
      if (open.size === 0) return;
      for (const one of observations) {
        if (one.kind === 'read' && one.isCheck) open.delete(lockId(one.db, one.key));
      }
      isAnswered = open.size === 0;
    },
    takeAnswered: () => {
      const was = isAnswered;
      isAnswered = false;
      return was;
    },
  };
}
