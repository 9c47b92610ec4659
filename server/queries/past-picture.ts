import { formatTable } from '@/lib/formats';
import { waitTraits } from '@/lib/formats/format';
import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Evidence, PastHold } from '@/lib/protocol/lock';
import type { PastLock, PastWaiter } from '@/lib/protocol/past';
import type { LockRecord } from '@/server/state/lock-record';
import { toPastHold } from '@/server/state/view';
import { hasGivenUp } from '@/server/state/waiting';
import type { WaitRow } from '@/server/store/history-contract';
import type { ServerContext } from './query-context';

/** A lock as the past names it. */
export interface PastName {
  db: number;
  key: Bytes;
  class: string;
  namespace: string;
  formatId: string;
}

export interface PastNameAndHold extends PastName {
  past: PastHold;
}

/** A lock and what stood at one moment. */
export interface PastStanding extends PastName {
  hold: PastHold | null;
  waiters: PastWaiter[];
}

/** A hold covers its start and not its end: at the moment of a takeover the new holder holds. */
export const coversMoment = (at: number, { start, end }: PastHold): boolean =>
  start <= at && (end === null || at < end);

export const nameOfRecord = ({ db, key, format, ...record }: LockRecord): PastName => ({
  db,
  key,
  class: record.class,
  namespace: record.namespace,
  formatId: format.id,
});

/** The open hold of a lock and the last few ended ones, as the table has them. */
export function holdsOfRecord(record: LockRecord): PastNameAndHold[] {
  const holds = record.hold ? [record.hold, ...record.ended] : record.ended;
  if (holds.length === 0) return [];
  const name = nameOfRecord(record);
  return holds.map((hold) => ({ ...name, past: toPastHold(hold) }));
}

/** Those who waited at that moment and still do. */
export function stillWaitingSince(record: LockRecord, at: number): PastWaiter[] {
  return record.queue.flatMap((waiter): PastWaiter[] =>
    waiter.since === null || waiter.since > at || hasGivenUp(waiter)
      ? []
      : [
          {
            owner: waiter.by.id,
            start: waiter.since,
            end: null,
            outcome: null,
            evidence: record.waitersCurrent === false ? 'unknown' : 'observed',
          },
        ],
  );
}

export const waiterOfRow = ({ owner, start, end, outcome, evidence }: WaitRow): PastWaiter => ({
  owner,
  start,
  end,
  outcome,
  evidence,
});

const isAlwaysSeen = (context: ServerContext, { db, key, formatId }: PastName): boolean => {
  const format = formatTable.formats.find(({ id }) => id === formatId);
  if (!format) return false;
  const record = context.table.get(db, key);
  if (record?.raw && record.format === format) {
    return waitTraits(format, record.raw).waiters === 'fair-queue';
  }
  // Of which type its value was then is not kept.
  const ofOtherTypes = Object.values(format.byType ?? {});
  return [format, ...ofOtherTypes].every(({ waiters }) => waiters === 'fair-queue');
};

const neverWaits = ({ formatId }: PastName): boolean =>
  formatTable.formats.find(({ id }) => id === formatId)?.waiters === 'never-waits';

/** How well it is known who waited: that nobody is named says something only where all are. */
function waitersEvidence(context: ServerContext, standing: PastStanding): Evidence {
  const { waiters } = standing;
  if (waiters.some(({ evidence }) => evidence === 'unknown')) return 'unknown';
  if (waiters.some(({ evidence }) => evidence === 'inferred')) return 'inferred';
  if (waiters.length > 0 || isAlwaysSeen(context, standing)) return 'observed';
  return neverWaits(standing) ? 'inferred' : 'unknown';
}

/** As it crosses the wire. Within a gap nothing is known for sure, whatever was seen before and after. */
export function toPastLock(
  context: ServerContext,
  standing: PastStanding,
  isInGap: boolean,
): PastLock {
  const { db, key, hold } = standing;
  const waiters = standing.waiters.toSorted((a, b) => a.start - b.start);
  const unsure = { evidence: 'unknown' as const };
  return {
    target: context.targetId,
    db,
    key: printable(key),
    keyB64: toBase64Url(key),
    class: standing.class,
    namespace: standing.namespace,
    format: standing.formatId,
    hold: hold && isInGap ? { ...hold, ...unsure } : hold,
    waiters: isInGap ? waiters.map((waiter) => ({ ...waiter, ...unsure })) : waiters,
    waitersEvidence: isInGap ? 'unknown' : waitersEvidence(context, standing),
  };
}
