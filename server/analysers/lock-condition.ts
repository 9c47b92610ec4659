import { sentence, type SentenceId } from '@/lib/messages/sentence';
import type { AlertCode, Severity } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';
import { lockId, type LockRecord } from '@/server/state/lock-record';
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
  lastsMs: (view: View, lock: LockRecord) => number;
  severity: (lock: LockRecord, view: View) => Severity;
  describe: (lock: LockRecord, view: View, since: number) => LockSentence;
  /** Said of many locks at once: "… more locks are held without expiry". */
  ofMany: Extract<SentenceId, `${string}:many`>;
}

export interface LockSentence {
  summary: Sentence[];
  remedy: Sentence[];
  evidence: Evidence;
  labels?: Finding['labels'];
}

interface Hit {
  lock: LockRecord;
  since: number;
}

/** Beyond this many at once, single findings help nobody: the rest becomes one. */
const SINGLE_FINDINGS = 500;

const SEVERITY_ORDER: readonly Severity[] = ['critical', 'warning', 'info'];

/** The locks of one pass that are told together; only sums are kept, for there may be very many. */
interface Crowd {
  first: Hit;
  listed: LockRecord[];
  count: number;
  since: number;
  worst: number;
}

function join(crowd: Crowd | null, hit: Hit, severity: Severity): Crowd {
  const rank = SEVERITY_ORDER.indexOf(severity);
  const all = crowd ?? { first: hit, listed: [], count: 0, since: hit.since, worst: rank };
  all.count += 1;
  all.since = Math.min(all.since, hit.since);
  all.worst = Math.min(all.worst, rank);
  if (all.listed.length < LISTED_LOCKS) all.listed.push(hit.lock);
  return all;
}

function crowdFinding(condition: LockCondition, crowd: Crowd, view: View): Finding {
  const { lock, since } = crowd.first;
  const { remedy, evidence } = condition.describe(lock, view, since);
  return {
    id: `${condition.code}:others`,
    code: condition.code,
    severity: SEVERITY_ORDER[crowd.worst] ?? 'info',
    subject: locksSubject(`${crowd.count} more locks`, crowd.listed.map(alertLock)),
    summary: [sentence(condition.ofMany, { count: crowd.count })],
    remedy,
    since: crowd.since,
    count: crowd.count,
    evidence,
    moment: false,
  };
}

/** Makes an analyser of a condition. Remembers only when it first saw what the table cannot date. */
export function createLockCondition(condition: LockCondition): Analyser {
  let hits: Hit[] = [];
  let others: Crowd | null = null;
  let firstSeen = new Map<string, number>();
  let stillSeen = new Map<string, number>();

  const incidentOf = (lock: LockRecord): string =>
    condition.incident === 'hold'
      ? holdIncident(condition.code, lock, lock.generation)
      : lockIncident(condition.code, lock);

  /** Cheaper than the incident's id, which only what is told one by one needs. */
  const memoryOf = ({ db, key, generation }: LockRecord): string =>
    condition.incident === 'hold' ? `${generation}@${lockId(db, key)}` : lockId(db, key);

  const firstSeenAt = (lock: LockRecord, now: number): number => {
    const memory = memoryOf(lock);
    const at = firstSeen.get(memory) ?? now;
    stillSeen.set(memory, at);
    return at;
  };

  const visit = (lock: LockRecord, view: View): void => {
    const began = condition.since(lock, view);
    if (began === null) return;
    const since = began === 'seen' ? firstSeenAt(lock, view.now) : began;
    if (view.now - since <= condition.lastsMs(view, lock)) return;
    if (hits.length < SINGLE_FINDINGS) hits.push({ lock, since });
    else others = join(others, { lock, since }, condition.severity(lock, view));
  };

  const single = ({ lock, since }: Hit, view: View): Finding => ({
    id: incidentOf(lock),
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
      const found = hits.map((hit) => single(hit, view));
      if (others) found.push(crowdFinding(condition, others, view));
      hits = [];
      others = null;
      firstSeen = stillSeen;
      stillSeen = new Map();
      return found;
    },
  };
}
