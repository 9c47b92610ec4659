import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

/** A renewal longer ago than this is none that goes on. */
const GOES_ON_MS = 60_000;

/**
 * The hold before was released by its holder, and a renewal of it has made the key anew: its token is fresh at
 * each acquire in the libraries whose renewal does so.
 */
function wasMadeAnew({ format, ended }: LockRecord, hold: HoldRecord): boolean {
  const before = ended[0];
  if (format.oldHolder !== 'revives' || !before || hold.token === null) return false;
  return before.endReason === 'released' && before.token === hold.token;
}

/** Its connection has been gone for a while, and somebody renews all the same. */
const isRenewedByNobody = ({ owner, lastRenewalAt }: HoldRecord, now: number): boolean =>
  owner?.liveness === 'not-seen' && lastRenewalAt !== null && now - lastRenewalAt < GOES_ON_MS;

/** Renewals of a holder that has released, or is not there any more. */
export const createZombieRenewal = () =>
  createLockCondition({
    code: 'zombie-renewal',
    of: 'held',
    incident: 'hold',
    since: (lock, { now }) => {
      const { hold } = lock;
      if (!hold) return null;
      if (wasMadeAnew(lock, hold)) return hold.since;
      return isRenewedByNobody(hold, now) ? 'seen' : null;
    },
    lastsMs: () => 0,
    severity: () => 'warning',
    describe: (lock) => {
      const { hold } = lock;
      const values = { owner: ownerName(hold), renewals: hold?.renewals ?? 0 };
      const isAnew = hold !== null && wasMadeAnew(lock, hold);
      return {
        summary: [sentence(isAnew ? 'zombie:made-anew' : 'zombie:owner-gone', values)],
        remedy: [sentence('zombie:remedy', {})],
        evidence: isAnew ? 'observed' : 'inferred',
      };
    },
    ofMany: 'zombie:many',
  });
