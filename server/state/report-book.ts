import { ownInstanceOf } from '@/lib/formats/qoder-owner';
import type { Bytes } from '@/lib/protocol/bytes';
import { lockId } from './lock-record';

const MAX_REPORTERS = 10_000;
const MAX_COUNTED = 10_000;

/** A wait that began by its own client's word. */
export interface ReportedWait {
  /** Epoch ms, our clock. */
  since: number;
  businessId: string | null;
}

/**
 * So that each wait counts once: an instance that reports tells of every wait itself, so that its place in
 * the queue is not counted too; and what the queue had counted before its first report came is not counted
 * again.
 */
export interface ReportBook {
  /** Instances of which a report has come. */
  reporters: Set<string>;
  /** Waits that the queue counted before their instance was known to report. */
  counted: Set<string>;
  /** Grants whose wait was counted, so that the release's report does not count it again. */
  granted: Set<string>;
}

export const createReportBook = (): ReportBook => ({
  reporters: new Set(),
  counted: new Set(),
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

/** Whether a wait that the queue showed counts; if its client may yet report it, that is remembered. */
export function mayCountQueued(
  { reports }: { reports: ReportBook },
  lock: Named,
  owner: Bytes,
): boolean {
  const instance = ownInstanceOf(owner);
  if (instance === null) return true;
  if (reports.reporters.has(instance)) return false;
  addBounded(reports.counted, nameOf(lock, owner), MAX_COUNTED);
  return true;
}

/** Whether a reported wait counts: the queue has not counted it, and no report of its grant has. */
export function mayCountReported(
  { counted, granted }: ReportBook,
  lock: Named,
  { owner, event, fence }: { owner: Bytes; event: string; fence: string | null },
): boolean {
  const grant = `${fence}@${lockId(lock.db, lock.key)}`;
  if (event === 'released' && granted.delete(grant)) return false;
  if (event === 'granted' && fence !== null) addBounded(granted, grant, MAX_COUNTED);
  return !counted.delete(nameOf(lock, owner));
}
