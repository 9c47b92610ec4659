import { NOTHING_BESIDE, type LockFormat, type RawValue } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { LockRecord } from './lock-record';
import type { Pending } from './pending';
import type { ReportedWait } from './report-book';

/** A gap that a lock has not been read after. */
export interface UnseenGap {
  /** Null: from an unknown time on (a hold restored from history without a gap). */
  from: number | null;
  to: number;
  serverRestarted: boolean;
}

/** A lock record with what the table alone needs to know of it. */
export interface Tracked extends LockRecord {
  pending: Pending | null;
  /** Events of this key reach us; a lock that is only known by its queue may have none. */
  hasEvents: boolean;
  /** The present hold's format was confirmed by its value, not only by the key's name. */
  isFormatSettled: boolean;
  /** How its holders were seen to renew: not every format that fits does it so. */
  renewedBy: 'set' | 'expire' | null;
  /** When the last event of the key came. */
  lastEventAt?: number;
  /** The value by which it was met, until the same read has settled its format. */
  metBy: RawValue | null;
  gap: UnseenGap | null;
  releaseIntent: { generation: number; actor: string } | null;
  /** The hold that an operator's release deleted last: its end is known. */
  forceReleased: { generation: number; actor: string } | null;
  /** The last renewal intervals of the present hold, at most eight. */
  intervals: number[] | null;
  /** Earliest entry in the due heap; null = none. */
  dueAt: number | null;
  /** The deadline that was handed out, and when. */
  handedOut: { deadline: number; at: number } | null;
  /** Checks in a row that found the key still there after its deadline. */
  rechecks: number;
  /** Waiters whose joining was seen by an event. */
  seenJoining: Set<Bytes> | null;
  /** Waits that began and ended between the last two reads, until they are told. */
  passed: { from: number; to: number }[] | null;
  /** Waits that our own client reported and that have not been reported to be over, by owner. */
  reported: Map<Bytes, ReportedWait> | null;
  /** When a reentry count was stepped whose `expire` had not come by the next read. */
  leaseOwedAt: number | null;
  /** When the lock was handed over; the holder's first extension confirms that and renews nothing. */
  confirmOwedAt: number | null;
  /** A key miss that may be a late release. */
  missedAt: number | null;
}

/** Shared by all locks that have none: replaced, never written to. */
export const NO_HOLDS: Tracked['ended'] = [];
const NO_OTHERS: Tracked['otherFormats'] = [];
const NO_MEMBERS: Tracked['members'] = [];
const NO_QUEUE: Tracked['queue'] = [];

export function createTracked(
  identity: { target: string; db: number; key: Bytes; class: string; namespace: string },
  format: LockFormat,
  at: number,
): Tracked {
  return {
    ...identity,
    format,
    formatCertain: false,
    formatBecause: null,
    otherFormats: NO_OTHERS,
    state: 'free',
    brokenBecause: null,
    generation: 0,
    hold: null,
    members: NO_MEMBERS,
    permits: null,
    queue: NO_QUEUE,
    subscribers: null,
    waitersCurrent: true,
    acquisitions: 0,
    ended: NO_HOLDS,
    raw: null,
    beside: NOTHING_BESIDE,
    rawPttl: null,
    rawAt: 0,
    changedAt: at,
    pending: null,
    hasEvents: true,
    isFormatSettled: false,
    renewedBy: null,
    metBy: null,
    gap: null,
    releaseIntent: null,
    forceReleased: null,
    intervals: null,
    dueAt: null,
    handedOut: null,
    rechecks: 0,
    seenJoining: null,
    passed: null,
    reported: null,
    leaseOwedAt: null,
    confirmOwedAt: null,
    missedAt: null,
  };
}
