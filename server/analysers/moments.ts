import type { AlertCode, Severity } from '@/lib/protocol/alert';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
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
  db: number;
  key: Bytes;
  owner: string;
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
  /** Does the ended hold tell of such a moment? */
  matches: (hold: HoldRecord) => boolean;
  /** What follows closely is one incident: all of the target's together, or each lock's. */
  groupBy: 'target' | 'lock';
  summary: (group: MomentGroup, view: View) => string;
  remedy: string;
}

const GROUP_PAUSE_MS = 5000;
/** A flow without pauses is cut, so that a new incident draws attention again. */
const GROUP_SPAN_MS = 60_000;
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
}

function momentOf(lock: LockRecord, hold: HoldRecord, at: number): Moment {
  return {
    db: lock.db,
    key: lock.key,
    owner: ownerName(hold),
    hold,
    at: hold.end ?? at,
    evidence: hold.endEvidence,
  };
}

function findingOf(kind: MomentKind, group: Group, view: View): Finding | null {
  const [first] = group.members.values();
  if (!first) return null;
  const members = [...group.members.values()];
  const distinct = new Map(members.map((one) => [`${one.db}:${one.key}`, one]));
  const count = group.members.size + group.uncounted;
  const listed = [...distinct.values()].slice(0, LISTED_LOCKS).map(alertLock);
  const locks = distinct.size + group.uncounted;
  const others = locks === 2 ? '1 more lock' : `${locks - 1} more locks`;
  return {
    id: group.id,
    code: kind.code,
    severity: kind.severity,
    subject:
      distinct.size === 1
        ? lockSubject(first)
        : locksSubject(`${keyName(first.key)} and ${others}`, listed),
    summary: kind.summary({ first, last: group.last, count }, view),
    remedy: kind.remedy,
    since: group.since,
    count,
    evidence: weakest(members.map((one) => one.evidence)),
    moment: true,
  };
}

/**
 * Makes an analyser of ended holds. Remembers for an hour; a later revision of an end takes its moment
 * back. At most 500 groups are kept, the oldest go first.
 */
export function createMoments(kind: MomentKind): Analyser {
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, Group>();
  const current = new Map<string, Group>();

  const forget = (group: Group): void => {
    groups.delete(group.id);
    for (const hold of group.members.keys()) groupOf.delete(hold);
    for (const [scope, open] of current) if (open === group) current.delete(scope);
  };

  const open = (scope: string, id: string, moment: Moment, at: number): Group => {
    const group = {
      id,
      members: new Map<string, Moment>(),
      uncounted: 0,
      last: moment,
      since: moment.at,
      lastAt: at,
    };
    groups.set(id, group);
    current.set(scope, group);
    const [oldest] = groups.values();
    if (groups.size > KEPT_GROUPS && oldest) forget(oldest);
    return group;
  };

  const add = (lock: LockRecord, hold: HoldRecord, at: number): void => {
    const id = holdIncident(kind.code, lock, hold.generation);
    if (groupOf.has(id)) return;
    const moment = momentOf(lock, hold, at);
    const scope = kind.groupBy === 'lock' ? lockIncident(kind.code, lock) : kind.code;
    const near = current.get(scope);
    const joins =
      near && at - near.lastAt <= GROUP_PAUSE_MS && at - near.since <= GROUP_SPAN_MS ? near : null;
    const group = joins ?? open(scope, id, moment, at);
    group.last = moment;
    group.lastAt = at;
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
    group.members.delete(id);
    groupOf.delete(id);
    if (group.members.size === 0) forget(group);
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-ended' && change.kind !== 'hold-revised') continue;
        if (kind.matches(change.hold)) add(change.lock, change.hold, change.at);
        else if (change.kind === 'hold-revised') takeBack(change.lock, change.hold);
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const group of groups.values()) {
        if (view.now - group.lastAt > MOMENT_LASTS_MS) forget(group);
        else found.push(...[findingOf(kind, group, view)].filter((one) => one !== null));
      }
      return found;
    },
  };
}
