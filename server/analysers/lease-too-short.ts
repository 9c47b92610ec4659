import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import { createClassUsual, type ClassUsual } from './class-usual';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import { alertLock, LISTED_LOCKS, locksSubject } from './subject';
import { thresholdOf } from './thresholds';

/** Beyond these a class is counted anew, so that a lease that was made longer is soon believed. */
const MOST_HOLDS = 2_000;
/** From this share of holds on the lease is shorter than their p99. */
const SHORT_SHARE = 0.01;
/** Where more than this run out, locks are left to run out: that is how the library keeps them. */
const ON_PURPOSE_SHARE = 0.5;
const MOST_CLASSES = 2_000;

interface Uses {
  name: Pick<LockRecord, 'class' | 'namespace'>;
  holds: number;
  /** Holds that lasted until their lease ended. */
  outlived: number;
  leaseMs: number;
  /** Those whose lease ended, the last one first. */
  locks: Pick<LockRecord, 'db' | 'key'>[];
  since: number;
  lastAt: number;
}

/**
 * Whether the hold tells how long its work needs: nothing was missed, and nobody renewed or kept it. Whoever is handed
 * a lock has it for a moment, until it answers: one that does not answer says nothing of the work.
 */
const isTelling = (
  { renewals, leaseMs, endReason, notes }: HoldRecord,
  { format }: LockRecord,
): boolean =>
  format.handsOver !== true &&
  renewals === 0 &&
  leaseMs !== null &&
  (endReason === 'released' || endReason === 'lease-ended') &&
  !(['touches-gap', 'finished-kept', 'lease-shortened'] as const).some((note) => notes.has(note));

/**
 * Classes whose work often takes longer than the lease that guards it, while nobody renews: where one hold in a
 * hundred or more lasts until its lease ends, the lease is shorter than the p99 of the holds.
 */
export function createLeaseTooShort(): Analyser {
  /** By class, which also says the namespace. */
  const classes = new Map<string, Uses>();
  const released = createClassUsual();

  const usesOf = (lock: LockRecord, at: number): Uses => {
    let uses = classes.get(lock.class);
    if (!uses) {
      const name = { class: lock.class, namespace: lock.namespace };
      uses = { name, holds: 0, outlived: 0, leaseMs: 0, locks: [], since: at, lastAt: at };
      classes.set(lock.class, uses);
      dropOldest(classes, MOST_CLASSES);
    }
    return uses;
  };

  const count = (lock: LockRecord, hold: HoldRecord, at: number): void => {
    const uses = usesOf(lock, at);
    if (uses.holds >= MOST_HOLDS) {
      uses.holds /= 2;
      uses.outlived /= 2;
    }
    uses.holds += 1;
    if (hold.endReason === 'released') return released.add(lock, (hold.end ?? at) - hold.since);
    uses.outlived += 1;
    uses.leaseMs = hold.leaseMs ?? uses.leaseMs;
    uses.lastAt = at;
    const { db, key } = lock;
    const others = uses.locks.filter((one) => one.key !== key || one.db !== db);
    uses.locks = [{ db, key }, ...others].slice(0, LISTED_LOCKS);
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-ended' || !isTelling(change.hold, change.lock)) continue;
        count(change.lock, change.hold, change.at);
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const [lockClass, uses] of classes) {
        const share = uses.outlived / uses.holds;
        if (view.now - uses.lastAt > MOMENT_LASTS_MS) classes.delete(lockClass);
        else if (uses.holds < thresholdOf(view, 'lease-too-short', uses.name)) continue;
        else if (share >= SHORT_SHARE && share <= ON_PURPOSE_SHARE) {
          found.push(toFinding(uses, released));
        }
      }
      return found;
    },
  };
}

function toFinding(uses: Uses, released: ClassUsual): Finding {
  const { name, holds, outlived, leaseMs, locks, since } = uses;
  const count = Math.round(outlived);
  const p99Ms = released.quantile(name, 0.99);
  return {
    id: `lease-too-short:${name.class}`,
    code: 'lease-too-short',
    severity: 'warning',
    subject: locksSubject(name.class, locks.map(alertLock)),
    summary: [
      sentence('lease-too-short:outlived', { count, holds: Math.round(holds), leaseMs }),
      ...(p99Ms === null ? [] : [sentence('lease-too-short:released', { p99Ms })]),
    ],
    remedy: [sentence('lease-too-short:remedy', {})],
    since,
    count,
    // A process that died leaves its lock to its lease as one does that works on.
    evidence: 'inferred',
    moment: false,
  };
}
