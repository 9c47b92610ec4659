import { sentence } from '@/lib/messages/sentence';
import type { ActiveJob } from '@/lib/formats/format';
import { lockId, type HoldRecord, type LockRecord } from '@/server/state/lock-record';
import type { JobRef } from '@/server/watch/watch-contract';
import type { Analyser } from './analyser';
import { createLockCondition } from './lock-condition';
import { overrunsOf } from './overrun-words';
import { keyName, ownerName } from './subject';
import { thresholdOf } from './thresholds';

/** Jobs that are followed at once, others wait for their next lapse; and of these looked for in one round. */
const MOST_JOBS = 2_000;
const ASKED_AT_ONCE = 100;
const ASK_EVERY_MS = 1_000;
/** A job whose list may not be read is told of for so long; by its standard BullMQ puts it back within a minute. */
const UNKNOWN_LASTS_MS = 10 * 60_000;

/** A job whose lock ran out. */
interface Lapsed {
  lock: LockRecord;
  hold: HoldRecord;
  job: ActiveJob;
  askedAt: number | null;
  /** Undefined until an answer came; null = it cannot be told. */
  isActive: boolean | null | undefined;
}

export interface StalledRisk extends Analyser {
  /** Whom to look for among the jobs that run; each once a second. */
  jobsToLookFor: (now: number) => JobRef[];
}

/** The job of a hold whose lease ended while it worked; null = it is none. */
function lapsedJob({ format, key }: LockRecord, hold: HoldRecord): ActiveJob | null {
  if (hold.endReason !== 'lease-ended' || hold.finishedAt !== null) return null;
  return format.activeJob?.(key) ?? null;
}

/**
 * A job whose lock ran out while it stands among those that run: its worker works without the lock, hangs or is gone, and
 * another may get the job as well. Ends when the job has left that list or its lock is taken again.
 */
export function createStalledRisk(): StalledRisk {
  const lapsed = new Map<string, Lapsed>();

  const condition = createLockCondition({
    code: 'stalled-risk',
    of: 'awaited',
    incident: 'hold',
    since: ({ db, key }) => lapsed.get(lockId(db, key))?.hold.end ?? null,
    lastsMs: (view, lock) => thresholdOf(view, 'stalled-risk', lock),
    severity: () => 'warning',
    describe: (lock, view, since) => {
      const found = lapsed.get(lockId(lock.db, lock.key));
      const owner = found?.hold.owner ?? null;
      const isKnown = found?.isActive === true;
      const list = keyName(found?.job.list ?? '');
      const values = { owner: ownerName(found?.hold ?? null), list, agoMs: view.now - since };
      return {
        summary: [
          sentence(isKnown ? 'stalled-risk:active' : 'stalled-risk:unknown', values),
          // Each job has a lock of its own: how often is told by its worker alone.
          ...(found ? overrunsOf(view, { hold: found.hold }) : []),
        ],
        remedy: [
          sentence('stalled-risk:remedy', {}),
          ...(isKnown ? [] : [sentence('stalled-risk:allow', { list })]),
        ],
        evidence: isKnown ? (found?.hold.endEvidence ?? 'unknown') : 'unknown',
        // Nobody holds it now: whose worker it was tells the hold that ended.
        labels: { owner: owner?.id ?? null, node: owner?.app ?? owner?.host ?? null },
      };
    },
    ofMany: 'stalled-risk:many',
  });

  const note = (lock: LockRecord, hold: HoldRecord): void => {
    const job = lapsedJob(lock, hold);
    // Of most locks there is no job.
    if (job === null && lapsed.size === 0) return;
    const id = lockId(lock.db, lock.key);
    // A correction of an older hold says nothing of the one that is followed.
    if (job === null) {
      if (lapsed.get(id)?.hold === hold) lapsed.delete(id);
      return;
    }
    if (lock.hold !== null || lock.ended[0] !== hold || lapsed.get(id)?.hold === hold) return;
    // What is followed stays: to let go of one would be to say that it is over.
    if (lapsed.size >= MOST_JOBS && !lapsed.has(id)) return;
    lapsed.set(id, { lock, hold, job, askedAt: null, isActive: undefined });
  };

  const answer = (id: string, isActive: boolean | null): void => {
    const found = lapsed.get(id);
    if (isActive === false) lapsed.delete(id);
    else if (found) found.isActive = isActive;
  };

  return {
    needs: 'table',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-ended' || change.kind === 'hold-revised') {
          note(change.lock, change.hold);
        } else if (lapsed.size === 0) continue;
        else if (change.kind === 'hold-started' || change.kind === 'lock-forgotten') {
          lapsed.delete(lockId(change.lock.db, change.lock.key));
        } else if (change.kind === 'job-looked') {
          answer(lockId(change.lock.db, change.lock.key), change.isActive);
        }
      }
    },
    jobsToLookFor: (now) => {
      const due = [...lapsed.values()]
        .filter(({ askedAt }) => askedAt === null || now - askedAt >= ASK_EVERY_MS)
        .toSorted((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0))
        .slice(0, ASKED_AT_ONCE);
      for (const one of due) one.askedAt = now;
      return due.map(({ lock: { db, key }, job }) => ({ db, key, ...job }));
    },
    findings: (view) => {
      for (const [id, { lock, hold, isActive }] of lapsed) {
        if (isActive === null && view.now - (hold.end ?? 0) > UNKNOWN_LASTS_MS) lapsed.delete(id);
        else if (isActive !== undefined) condition.awaited?.(lock, view);
      }
      return condition.findings(view);
    },
  };
}
