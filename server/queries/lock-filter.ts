import { printable } from '@/lib/protocol/bytes';
import { LOST_REASONS, type Owner } from '@/lib/protocol/lock';
import type { LockFilter, LockSort } from '@/lib/protocol/queries';
import { longHoldSince } from '@/server/analysers/long-hold';
import type { LockRecord } from '@/server/state/lock-record';
import { waitingCount } from '@/server/state/waiting';

export interface FilterSettings {
  now: number;
  /** Beyond how many milliseconds a hold of the lock is long, as alerts have it. */
  longAfterMs: (record: LockRecord) => number;
  hasAlerts: (record: LockRecord) => boolean;
}

type Views = Record<
  NonNullable<LockFilter['view']>,
  (record: LockRecord, settings: FilterSettings) => boolean
>;

function isLong(record: LockRecord, { now, longAfterMs }: FilterSettings): boolean {
  const since = longHoldSince(record);
  return since !== null && now - since > longAfterMs(record);
}

const VIEWS: Views = {
  'no-expiry': (record) => record.state === 'held' && record.hold?.deadline === null,
  'long-holds': (record, settings) => record.state === 'held' && isLong(record, settings),
  'waited-for': (record) => (waitingCount(record) ?? 0) > 0,
  lost: (record) => {
    const last = record.ended[0];
    if (!last?.endReason || last.finishedAt !== null) return false;
    return LOST_REASONS.includes(last.endReason);
  },
  alerted: (record, { hasAlerts }) => hasAlerts(record),
};

const isNamed = ({ id, instance, host, ip, app }: Owner, name: string): boolean =>
  id === name || instance === name || host === name || ip === name || app === name;

/** By its whole id, or by its instance, machine or service where these are known. */
function isOwnedBy(record: LockRecord, name: string): boolean {
  const holder = record.hold?.owner;
  if (holder && isNamed(holder, name)) return true;
  return record.members.some(
    (member) => member.id === name || (member.owner && isNamed(member.owner, name)),
  );
}

/** Everything but the free text, which is matched against a remembered text by the index. */
export function matchesExactly(
  record: LockRecord,
  filter: LockFilter,
  settings: FilterSettings,
): boolean {
  if (filter.free === 'hide' && record.state === 'free') return false;
  if (filter.state && record.state !== filter.state) return false;
  if (filter.format && record.format.id !== filter.format) return false;
  if (filter.class !== undefined && record.class !== filter.class) return false;
  if (filter.namespace !== undefined && record.namespace !== filter.namespace) return false;
  if (filter.db !== undefined && record.db !== filter.db) return false;
  if (filter.owner !== undefined && !isOwnedBy(record, filter.owner)) return false;
  return filter.view === undefined || VIEWS[filter.view](record, settings);
}

/** What free text is looked for in. */
export const searchTextOf = (record: LockRecord): string =>
  `${printable(record.key)}\n${ownerText(record)}\n${record.class}`.toLowerCase();

/** The part of it that changes while the record stays. */
export function ownerText({ hold }: LockRecord): string {
  if (!hold?.owner) return '';
  const { id, host, ip, app } = hold.owner;
  const known = [id, host, ip, app, hold.businessId].filter((text) => text !== null);
  return known.join('\n');
}

/** Smaller comes first; ties are settled by key. Locks without the value come last. */
export const SORT_VALUES: Record<LockSort | 'default', (record: LockRecord) => number | string> = {
  default: (record) => (record.state === 'free' ? 1 : 0),
  key: () => 0,
  since: (record) => record.hold?.since ?? Infinity,
  '-since': (record) => (record.hold ? -record.hold.since : Infinity),
  deadline: (record) => {
    if (!record.hold) return Infinity;
    return record.hold.deadline ?? Number.MAX_VALUE;
  },
  '-waiting': (record) => -(waitingCount(record) ?? -1),
  '-renewals': (record) => -(record.hold?.renewals ?? -1),
  class: (record) => record.class,
  owner: (record) => record.hold?.owner?.id ?? '\uffff',
};
