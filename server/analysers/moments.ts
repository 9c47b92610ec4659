import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { AlertCode, Severity } from '@/lib/protocol/alert';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';
import { lockId, type HoldRecord, type LockRecord } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import {
  LISTED_LOCKS,
  alertLock,
  holdIncident,
  keyName,
  lockIncident,
  lockSubject,
  locksSubject,
  ownerName,
  weakest,
} from './subject';

/** What happened to one hold. */
export interface Moment {
  lock: LockRecord;
  db: number;
  key: Bytes;
  owner: string | null;
  hold: HoldRecord;
  at: number;
  evidence: Evidence;
}

/** Moments of one kind that belong together; never empty. */
export interface MomentGroup {
  first: Moment;
  last: Moment;
  count: number;
}

export interface MomentKind {
  code: AlertCode;
  severity: Severity;
  /** Where the moment is a conclusion; left out = as good as what is known of the holds' ends. */
  evidence?: Evidence;
  /** Does the ended hold tell of such a moment? */
  matches: (hold: HoldRecord, lock: LockRecord) => boolean;
  /** What follows closely is one incident: all of the target's together, or each lock's. */
  groupBy: 'target' | 'lock';
  summary: (group: MomentGroup, view: View) => Sentence;
  /** Told after the summary, as it is when the last of them happened. */
  also?: (last: Moment, view: View) => Sentence[];
  remedy: Sentence;
}

/**
 * How soon the next one must follow to be the same incident, and how long one incident may last: a flow
 * without pauses is cut, so that a new one draws attention again. What one lock keeps doing is one fault.
 */
const GROUPING = {
  target: { pauseMs: 5000, spanMs: 60_000 },
  lock: { pauseMs: 10 * 60_000, spanMs: 60 * 60_000 },
};
const KEPT_GROUPS = 500;
/** Beyond this many a group only counts. */
const KEPT_MEMBERS = 10_000;

interface Group {
  id: string;
  members: Map<string, Moment>;
  uncounted: number;
  last: Moment;
  since: number;
  lastAt: number;
  /** All of it was revised: told once more as no moment, so that its alert ends. */
  retracted: boolean;
  /** Null until asked for after a change: a flush can make thousands of members. */
  told: Told | null;
}

function momentOf(lock: LockRecord, hold: HoldRecord, at: number): Moment {
  return {
    lock,
    db: lock.db,
    key: lock.key,
    owner: ownerName(hold),
    hold,
    at: hold.end ?? at,
    evidence: hold.endEvidence,
  };
}

type Told = Pick<Finding, 'subject' | 'count' | 'evidence'> & { also: Sentence[] };

/** What a group says that no clock changes. */
function toldOf(group: Group, first: Moment, also: Sentence[]): Told {
  const members = [...group.members.values()];
  const distinct = new Map(members.map((one) => [lockId(one.db, one.key), one]));
  const locks = distinct.size + group.uncounted;
  const others = locks === 2 ? '1 more lock' : `${locks - 1} more locks`;
  const listed = [...distinct.values()].slice(0, LISTED_LOCKS).map(alertLock);
  return {
    subject:
      distinct.size === 1
        ? lockSubject(first)
        : locksSubject(`${keyName(first.key)} and ${others}`, listed),
    count: members.length + group.uncounted,
    evidence: weakest(members.map((one) => one.evidence)),
    also,
  };
}

/** Whose hold it was, where all of it is of one lock: who holds that now is another matter. */
function whoseMoment({ told, last }: Group): NonNullable<Finding['labels']> {
  const owner = told?.subject.kind === 'lock' ? last.hold.owner : null;
  return { owner: owner?.id ?? null, node: owner?.app ?? owner?.host ?? null };
}

function findingOf(kind: MomentKind, group: Group, view: View): Finding | null {
  const [first] = group.members.values();
  if (!first) return null;
  group.told ??= {
    ...toldOf(group, first, kind.also?.(group.last, view) ?? []),
    ...(kind.evidence && { evidence: kind.evidence }),
  };
  const { also, ...told } = group.told;
  return {
    id: group.id,
    code: kind.code,
    severity: kind.severity,
    ...told,
    summary: [kind.summary({ first, last: group.last, count: told.count }, view), ...also],
    remedy: [kind.remedy],
    since: group.since,
    moment: true,
    labels: whoseMoment(group),
  };
}

/**
 * Makes an analyser of ended holds. Remembers for an hour; a later revision of an end takes its moment
 * back. At most 500 groups are kept, the oldest go first.
 */
export function createMoments(kind: MomentKind): Analyser {
  const groups = new Set<Group>();
  const groupOf = new Map<string, Group>();
  const current = new Map<string, Group>();

  const forget = (group: Group): void => {
    groups.delete(group);
    for (const hold of group.members.keys()) groupOf.delete(hold);
    for (const [scope, open] of current) if (open === group) current.delete(scope);
  };

  const open = (scope: string, id: string, moment: Moment, at: number): Group => {
    const group: Group = {
      id,
      members: new Map(),
      uncounted: 0,
      last: moment,
      since: moment.at,
      lastAt: at,
      retracted: false,
      told: null,
    };
    groups.add(group);
    current.set(scope, group);
    for (const oldest of dropOldest(groups, KEPT_GROUPS)) forget(oldest);
    return group;
  };

  const add = (lock: LockRecord, hold: HoldRecord, at: number): void => {
    const id = holdIncident(kind.code, lock, hold.generation);
    if (groupOf.has(id)) return;
    const moment = momentOf(lock, hold, at);
    const scope = kind.groupBy === 'lock' ? lockIncident(kind.code, lock) : kind.code;
    const near = current.get(scope);
    const { pauseMs, spanMs } = GROUPING[kind.groupBy];
    const joins = near && at - near.lastAt <= pauseMs && at - near.since <= spanMs ? near : null;
    const group = joins ?? open(scope, id, moment, at);
    group.last = moment;
    group.lastAt = at;
    group.told = null;
    if (group.members.size >= KEPT_MEMBERS) {
      group.uncounted += 1;
      return;
    }
    group.members.set(id, moment);
    groupOf.set(id, group);
  };

  const takeBack = (lock: LockRecord, hold: HoldRecord): void => {
    const id = holdIncident(kind.code, lock, hold.generation);
    const group = groupOf.get(id);
    if (!group) return;
    groupOf.delete(id);
    group.told = null;
    if (group.members.size > 1) group.members.delete(id);
    else {
      group.retracted = true;
      for (const [scope, open] of current) if (open === group) current.delete(scope);
    }
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-ended' && change.kind !== 'hold-revised') continue;
        if (kind.matches(change.hold, change.lock)) add(change.lock, change.hold, change.at);
        else if (change.kind === 'hold-revised') takeBack(change.lock, change.hold);
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const group of groups) {
        const finding = findingOf(kind, group, view);
        const isOver = group.retracted || view.now - group.lastAt > MOMENT_LASTS_MS;
        if (isOver) forget(group);
        if (finding && group.retracted) found.push({ ...finding, moment: false });
        else if (finding && !isOver) found.push(finding);
      }
      return found;
    },
  };
}
