import {
  withWaits,
  type RecordedHold,
  type RecordedLeave,
  type SeenHold,
} from '@/lib/analysis/replay-record';
import { createSketch } from '@/lib/analysis/sketch';
import type { Evidence } from '@/lib/protocol/lock';
import type { Percentiles } from '@/lib/protocol/measures';
import { isMeasured } from '@/server/state/hold-end';
import { lockId } from '@/server/state/lock-record';
import type { LockName } from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';
import { percentilesOf } from './class-sums';
import { inTurns } from './in-turns';
import { holdsPending } from './past-holds';
import type { ServerContext } from './query-context';

/** Rows read at once: turning so many into objects takes 2 or 3 ms. */
const PAGE_ROWS = 250;
const MAX_LEAVES = 1000;

export interface HoldsSubject {
  namespace?: string;
  class?: string;
  lock?: LockName;
}

export interface ClassName {
  namespace: string;
  class: string;
}

export interface HoldsSample {
  holds: RecordedHold[];
  /** Of each lock in it what class it is of. */
  names: ReadonlyMap<string, ClassName>;
  /** From here on the sample is whole. */
  from: number;
  evidence: Evidence;
}

const isAbout = ({ namespace, class: lockClass, lock }: HoldsSubject, row: HoldRow): boolean =>
  (namespace === undefined || row.namespace === namespace) &&
  (lockClass === undefined || row.class === lockClass) &&
  (lock === undefined || (row.db === lock.db && row.key === lock.key));

/** Lets others have the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The newest holds of the range that are stored or on their way there, at most about `limit`, by lock and generation. */
export async function sampleRows(
  context: ServerContext,
  subject: HoldsSubject,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<{ rows: HoldRow[]; isWhole: boolean }> {
  const { lock, ...names } = subject;
  const query = { target: context.targetId, ...names, ...lock, from };
  const rows = new Map<string, HoldRow>();
  const add = (page: readonly HoldRow[]): void => {
    for (const row of page) rows.set(`${lockId(row.db, row.key)}\n${row.past.generation}`, row);
  };
  let isWhole = false;
  for (let before = to; rows.size < limit && !isWhole;) {
    const known = rows.size;
    const page = await context.store.holds({ ...query, to: before, limit: PAGE_ROWS });
    add(page);
    isWhole = page.length < PAGE_ROWS;
    const oldest = page.at(-1)?.past.start ?? before;
    // The same millisecond again, for those of it that did not fit; and on when it brought nothing new.
    before = rows.size > known ? oldest + 1 : oldest;
  }
  add(
    holdsPending(
      context,
      (row) => isAbout(subject, row) && row.past.start < to && (row.past.end ?? to) >= from,
    ),
  );
  return { rows: [...rows.values()], isWhole };
}

/** An ended hold of which both ends were seen; null for any other. Of an owner whom nobody saw no wait is told either. */
function seenOf({ db, key, past, waited }: HoldRow): SeenHold | null {
  const { owner, start, end, notes, businessId = null } = past;
  if (end === null || (notes.length > 0 && !isMeasured({ notes: new Set(notes) }))) return null;
  const waitedMs = waited?.ms ?? (owner === null ? null : 0);
  return { lock: lockId(db, key), owner, start, end, waitedMs, businessId };
}

/**
 * The newest holds of a subject in a range, for a replay: those that are over and of which both ends were seen. Of a known
 * owner of whom no wait is told there was none: to be asked for classes whose waits are seen.
 */
export async function sampleHolds(
  context: ServerContext,
  subject: HoldsSubject,
  range: { from: number; to: number; limit: number },
): Promise<HoldsSample> {
  const { rows, isWhole } = await sampleRows(context, subject, range);
  await turn();
  const seen = rows.flatMap((row) => seenOf(row) ?? []);
  const isObserved =
    seen.length === rows.length &&
    seen.every(({ waitedMs }) => waitedMs !== null) &&
    rows.every(({ waited }) => waited === null || waited.evidence === 'observed');
  const oldest = rows.reduce((least, { past }) => Math.min(least, past.start), range.to);
  await turn();
  const holds: RecordedHold[] = [];
  await inTurns(Map.groupBy(seen, ({ lock }) => lock).values(), (ofLock) => {
    for (const hold of withWaits(ofLock)) holds.push(hold);
  });
  return {
    holds,
    names: new Map(rows.map((row) => [lockId(row.db, row.key), row])),
    from: isWhole ? range.from : Math.max(range.from, oldest),
    evidence: isObserved ? 'observed' : 'inferred',
  };
}

/** The newest waits for a lock that ended without it. */
export async function sampleLeaves(
  context: ServerContext,
  lock: LockName,
  { from, to }: { from: number; to: number },
): Promise<RecordedLeave[]> {
  const query = { lock, from, to, order: 'newest', limit: MAX_LEAVES } as const;
  const waits = await context.history.waits(query);
  return waits
    .filter(({ outcome }) => outcome === 'left')
    .map(({ start, end }) => ({ start, end, businessId: null }));
}

export function percentilesOfMs(values: Iterable<number>): Percentiles {
  const sketch = createSketch();
  for (const value of values) sketch.add(value);
  return percentilesOf(sketch);
}
