import type { AlertCode, Severity } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';
import type { LockRecord } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import {
  LISTED_LOCKS,
  alertLock,
  holdIncident,
  lockIncident,
  lockSubject,
  locksSubject,
} from './subject';

/** A condition of single locks, judged on the table alone. */
export interface LockCondition {
  code: AlertCode;
  needs?: 'table' | 'events';
  /** Which locks it is asked about: see `Analyser`. */
  of: 'held' | 'awaited';
  /** `hold`: the next hold is another incident. `lock`: it goes on whoever holds. */
  incident: 'hold' | 'lock';
  /**
   * Epoch ms since when it is the case; null = it is not. `seen` = the table cannot tell, so it counts
   * from the first pass that met it.
   */
  since: (lock: LockRecord, view: View) => number | 'seen' | null;
  /** It must have lasted longer than this. */
  lastsMs: (view: View) => number;
  severity: (lock: LockRecord, view: View) => Severity;
  describe: (lock: LockRecord, view: View, since: number) => LockSentence;
  /** Said of many locks at once: "are held without expiry". */
  ofMany: string;
}

export interface LockSentence {
  summary: string;
  remedy: string;
  evidence: Evidence;
}

interface Hit {
  lock: LockRecord;
  since: number;
  id: string;
}

/** Beyond this many at once, single findings help nobody: the rest becomes one. */
export const SINGLE_FINDINGS = 500;

const SEVERITY_ORDER: readonly Severity[] = ['critical', 'warning', 'info'];

function worst(severities: readonly Severity[]): Severity {
  return SEVERITY_ORDER.find((severity) => severities.includes(severity)) ?? 'info';
}

function crowd(condition: LockCondition, hits: readonly Hit[], view: View): Finding[] {
  const [first] = hits;
  if (!first) return [];
  const { remedy, evidence } = condition.describe(first.lock, view, first.since);
  const locks = hits.slice(0, LISTED_LOCKS).map((hit) => alertLock(hit.lock));
  return [
    {
      id: `${condition.code}:others`,
      code: condition.code,
      severity: worst(hits.map((hit) => condition.severity(hit.lock, view))),
      subject: locksSubject(`${hits.length} more locks`, locks),
      summary: `${hits.length} more locks ${condition.ofMany}`,
      remedy,
      since: hits.reduce((least, hit) => Math.min(least, hit.since), first.since),
      count: hits.length,
      evidence,
      moment: false,
    },
  ];
}

/** Makes an analyser of a condition. Remembers only when it first saw what the table cannot date. */
export function createLockCondition(condition: LockCondition): Analyser {
  let hits: Hit[] = [];
  let firstSeen = new Map<string, number>();
  let stillSeen = new Map<string, number>();

  const incidentOf = (lock: LockRecord): string =>
    condition.incident === 'hold'
      ? holdIncident(condition.code, lock, lock.generation)
      : lockIncident(condition.code, lock);

  const visit = (lock: LockRecord, view: View): void => {
    const began = condition.since(lock, view);
    if (began === null) return;
    if (began !== 'seen' && view.now - began <= condition.lastsMs(view)) return;
    const id = incidentOf(lock);
    const since = began === 'seen' ? (firstSeen.get(id) ?? view.now) : began;
    if (began === 'seen') stillSeen.set(id, since);
    if (began === 'seen' && view.now - since <= condition.lastsMs(view)) return;
    hits.push({ lock, since, id });
  };

  const single = ({ lock, since, id }: Hit, view: View): Finding => ({
    id,
    code: condition.code,
    severity: condition.severity(lock, view),
    subject: lockSubject(lock),
    ...condition.describe(lock, view, since),
    since,
    count: 1,
    moment: false,
  });

  return {
    needs: condition.needs ?? 'table',
    ...(condition.of === 'held'
      ? { held: (lock, _hold, view) => visit(lock, view) }
      : { awaited: visit }),
    findings: (view) => {
      const found = hits.slice(0, SINGLE_FINDINGS).map((hit) => single(hit, view));
      found.push(...crowd(condition, hits.slice(SINGLE_FINDINGS), view));
      hits = [];
      firstSeen = stillSeen;
      stillSeen = new Map();
      return found;
    },
  };
}
