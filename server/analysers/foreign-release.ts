import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { createMoments } from './moments';
import { ownerName } from './subject';

/** A hold that used less of its lease than this ended far before its time. */
const SHORT_SHARE = 0.5;
/** Without a lease to go by: how long work goes on after its lease ended. */
const OVERRUN_MS = 60_000;

const before = ({ ended }: LockRecord, { generation }: HoldRecord): HoldRecord | undefined =>
  ended.find((one) => one.generation === generation - 1);

/** Only an unlock that compares no token can delete another's lock; of an unknown library it may be one. */
const mayDeleteOthers = ({ format }: LockRecord): boolean =>
  format.oldHolder === 'steals' || format.oldHolder === 'unknown';

/**
 * A's lease ended while it worked, B entered, and B's hold ended by a delete long before its own lease and no later
 * than A may have finished: the delete may have been A's.
 */
function looksForeign(lock: LockRecord, hold: HoldRecord): boolean {
  if (hold.endReason !== 'released' || hold.end === null || !mayDeleteOthers(lock)) return false;
  const first = before(lock, hold);
  if (first?.endReason !== 'lease-ended' || first.end === null) return false;
  if (first.token === null || first.token === hold.token) return false;
  const isShort = hold.leaseMs !== null && hold.end - hold.since < hold.leaseMs * SHORT_SHARE;
  return isShort && hold.end - first.end <= (first.leaseMs ?? OVERRUN_MS);
}

/** The release of one holder that may have been done by the one before: a suspicion, never more. */
export const createForeignRelease = () =>
  createMoments({
    code: 'foreign-release-suspected',
    severity: 'warning',
    evidence: 'inferred',
    matches: (hold, lock) => looksForeign(lock, hold),
    groupBy: 'lock',
    summary: ({ last, count }) => {
      const first = before(last.lock, last.hold);
      const overrunMs = Math.max(0, (last.hold.end ?? 0) - (first?.end ?? 0));
      const heldMs = Math.max(0, (last.hold.end ?? 0) - last.hold.since);
      const values = { owner: last.owner, by: ownerName(first ?? null) ?? '?', count };
      return sentence('foreign-release:suspected', { ...values, overrunMs, heldMs });
    },
    remedy: sentence('foreign-release:remedy', {}),
  });
