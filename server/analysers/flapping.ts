import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import { printable } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import type { Finding } from './finding';
import { lockIncident, lockSubject, nameOf, weakest } from './subject';
import { thresholdOf } from './thresholds';

const SPAN_MS = 5 * 60_000;
/** Whoever lost it takes it back at once; a job that comes again on its schedule leaves it free for longer. */
const LONGEST_GAP_SHARE = 0.5;
const KEPT_LOCKS = 500;
/** Of one lock; beyond these the count stays as it is. */
const KEPT_TIMES = 100;

interface Flapper {
  lock: LockRecord;
  /** Of the last hold that was counted. */
  generation: number;
  /** What stays the same of a holder from one hold to the next. */
  holder: string;
  name: string;
  leaseMs: number;
  times: number[];
  evidence: Evidence;
}

/**
 * Whose hold it is beyond one hold: the instance or host where the token names one, else the token. Where a
 * library makes a fresh token for each acquire nobody can tell, and nothing is claimed.
 */
function holderOf({ owner, token }: HoldRecord): string | null {
  if (owner?.instance) return owner.instance;
  if (owner?.host) return `${owner.host}/${owner.pid ?? ''}`;
  return token === null ? null : printable(token);
}

/** The hold before, if its lease ended and the same holder took the lock back at once. */
function lostBefore(lock: LockRecord, hold: HoldRecord): HoldRecord | null {
  const before = lock.ended.find(({ generation }) => generation === hold.generation - 1);
  if (before?.endReason !== 'lease-ended' || before.end === null) return null;
  // Kept on purpose after the work, a lock is meant to run out.
  if (before.finishedAt !== null || before.notes.has('finished-kept')) return null;
  if (lock.format.counts || before.leaseMs === null) return null;
  const holder = holderOf(hold);
  if (holder === null || holder !== holderOf(before)) return null;
  return hold.since - before.end <= before.leaseMs * LONGEST_GAP_SHARE ? before : null;
}

const recent = ({ times }: Flapper, now: number): number[] =>
  times.filter((at) => now - at <= SPAN_MS);

/** A holder that loses its lock to its lease again and again, and takes it back each time. */
export function createFlapping(): Analyser {
  /** By the time of the last loss, oldest first. */
  const flappers = new Map<string, Flapper>();

  const add = (lock: LockRecord, hold: HoldRecord, before: HoldRecord): void => {
    const id = lockIncident('flapping', lock);
    const known = flappers.get(id);
    // A hold is told of again once its owner is read.
    if (known?.generation === hold.generation) return;
    const holder = holderOf(hold) ?? '';
    const isSame = known?.holder === holder;
    flappers.delete(id);
    flappers.set(id, {
      lock,
      generation: hold.generation,
      holder,
      name: hold.owner ? nameOf(hold.owner) : holder,
      leaseMs: before.leaseMs ?? 0,
      times: [...(isSame ? known.times : []), hold.since].slice(-KEPT_TIMES),
      evidence: weakest([
        before.endEvidence,
        hold.sinceEvidence,
        ...(isSame ? [known.evidence] : []),
      ]),
    });
    dropOldest(flappers, KEPT_LOCKS);
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-started' && change.kind !== 'hold-updated') continue;
        const before = lostBefore(change.lock, change.hold);
        if (before) add(change.lock, change.hold, before);
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const [id, flapper] of flappers) {
        const times = recent(flapper, view.now);
        if (times.length === 0) flappers.delete(id);
        else if (times.length >= thresholdOf(view, 'flapping', flapper.lock))
          found.push(toFinding(id, flapper, times));
      }
      return found;
    },
  };
}

function toFinding(id: string, flapper: Flapper, times: readonly number[]): Finding {
  const { lock, name, leaseMs, evidence } = flapper;
  const since = times[0] ?? 0;
  const lastsMs = (times.at(-1) ?? since) - since;
  return {
    id,
    code: 'flapping',
    severity: 'warning',
    subject: lockSubject(lock),
    summary: [sentence('flapping:lost', { owner: name, count: times.length, lastsMs, leaseMs })],
    remedy: [sentence('flapping:remedy', {})],
    since,
    count: times.length,
    evidence,
    moment: false,
  };
}
