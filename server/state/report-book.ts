import { ownInstanceOf } from '@/lib/formats/qoder-owner';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Change } from './change';
import { lockId } from './lock-record';

const MAX_REPORTERS = 10_000;
const MAX_HELD_BACK = 10_000;
const MAX_GRANTED = 10_000;
/** Reports come within a second of what they tell, where we are not held up. */
const REPORTED_WITHIN_MS = 3_000;

/** A wait that began by its own client's word. */
export interface ReportedWait {
  /** Epoch ms, our clock. */
  since: number;
  businessId: string | null;
}

type WaitEnded = Extract<Change, { kind: 'wait-ended' }>;

/**
 * So that each wait counts once: an instance that reports tells of every wait itself, more exactly, so that
 * its place in the queue is not counted too. Whether it reports is not known before its first report: until
 * then what the queue showed is held back for a while.
 */
export interface ReportBook {
  /** Instances of which a report has come. */
  reporters: Set<string>;
  /** Waits that the queue showed and that may yet be reported, oldest first. */
  heldBack: Map<string, WaitEnded>;
  /** Grants whose wait was counted, so that the release's report does not count it again. */
  granted: Set<string>;
}

export const createReportBook = (): ReportBook => ({
  reporters: new Set(),
  heldBack: new Map(),
  granted: new Set(),
});

interface Named {
  db: number;
  key: Bytes;
}

const nameOf = ({ db, key }: Named, owner: Bytes): string => `${owner}@${lockId(db, key)}`;

function addBounded(set: Set<string>, name: string, most: number): void {
  set.add(name);
  if (set.size <= most) return;
  for (const oldest of set) {
    set.delete(oldest);
    return;
  }
}

export function noteReporter({ reporters }: ReportBook, owner: Bytes): void {
  const instance = ownInstanceOf(owner);
  if (instance !== null && !reporters.has(instance)) {
    addBounded(reporters, instance, MAX_REPORTERS);
  }
}

/** A wait that the queue showed: returned when it counts now, else null. */
export function takeQueued({ reporters, heldBack }: ReportBook, wait: WaitEnded): WaitEnded | null {
  const instance = ownInstanceOf(wait.owner);
  if (instance === null || heldBack.size >= MAX_HELD_BACK) return wait;
  if (!reporters.has(instance)) heldBack.set(nameOf(wait.lock, wait.owner), wait);
  return null;
}

/** The waits that nobody has reported in time: their clients do not report. */
export function takeUnreported({ heldBack }: ReportBook, now: number): WaitEnded[] {
  const unreported: WaitEnded[] = [];
  for (const [name, wait] of heldBack) {
    if (now - wait.at < REPORTED_WITHIN_MS) break;
    heldBack.delete(name);
    unreported.push(wait);
  }
  return unreported;
}

/** Whether a reported wait counts: an earlier report of the same grant may have told it. */
export function mayCountReported(
  { heldBack, granted }: ReportBook,
  lock: Named,
  { owner, event, fence }: { owner: Bytes; event: string; fence: string | null },
): boolean {
  heldBack.delete(nameOf(lock, owner));
  const grant = `${fence}@${lockId(lock.db, lock.key)}`;
  if (event === 'released') return !granted.delete(grant);
  if (event === 'granted' && fence !== null) addBounded(granted, grant, MAX_GRANTED);
  return true;
}
