import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { Blame, BlameLeaf, OwnerPlace } from '@/lib/protocol/measures';
import type { BlameParams } from '@/lib/protocol/queries';
import { ROLLUP_STEP_MS, type BlameRow } from '@/server/store/history-contract';
import { blameOfRows } from './blame-of-rows';

import { noWaitReason, sumByClass, waiterEvidence, type ClassSum } from './class-sums';
import { gapsWithin } from './gaps';
import { inTurns } from './in-turns';
import { ofProcess, placesAt, processOf } from './owner-places';
import type { QueryContext } from './query-context';
import { questionsOf, subjectOf, type Subject } from './subject';
import { spanAt, watchedRange } from './watched-range';

/** The range where none is asked for. */
export const BLAME_RANGE_MS = 5 * 60_000;
const DEFAULT_LIMIT = 200;
/** Beside those that are kept: a millisecond or less. */
const SORTED_AT_ONCE = 1000;

/** Rows of one cause as one, whatever library wrote the lock, and what they add up to. */
async function added(rows: readonly BlameRow[]): Promise<{ causes: BlameRow[]; totalMs: number }> {
  const causes = new Map<string, BlameRow>();
  let totalMs = 0;
  await inTurns(rows, (row) => {
    totalMs += row.waiterMs;
    const { namespace, class: lockClass, lock, cause, owner } = row;
    const name = [namespace, lockClass, lock?.db, lock?.key, cause, owner].join('\n');
    const known = causes.get(name);
    causes.set(name, known ? { ...known, waiterMs: known.waiterMs + row.waiterMs } : row);
  });
  const some: BlameRow[] = [];
  await inTurns(causes.values(), (row) => {
    if (row.waiterMs !== 0) some.push(row);
  });
  return { causes: some, totalMs };
}

/**
 * Older steps keep the heaviest causes alone, and of the others what they add up to in their class. Of a lock that is
 * asked for by name each wait and hold is there too, for a while: neither tells more than there was.
 */
async function causesWithin(
  context: QueryContext,
  subject: Subject,
  range: { from: number; to: number },
): Promise<{ causes: BlameRow[]; totalMs: number }> {
  const answers: BlameRow[][] = [];
  for (const question of questionsOf(subject)) {
    answers.push(await context.history.blame({ ...question, ...range }));
  }
  const kept = await added(answers.flat());
  if (subject.locks === null || spanAt(context, range.from) === ROLLUP_STEP_MS) return kept;
  const ofRows = await added(await blameOfRows(context, subject, range));
  return ofRows.totalMs > kept.totalMs ? ofRows : kept;
}

async function causesBy(
  by: NonNullable<BlameParams['by']>,
  found: { causes: BlameRow[]; totalMs: number },
): Promise<{ causes: BlameRow[]; totalMs: number }> {
  if (by === 'holder') return found;
  const moved: BlameRow[] = [];
  await inTurns(found.causes, (row) => {
    moved.push(ofProcess(row));
  });
  return await added(moved);
}

const greatestFirst = (a: BlameRow, b: BlameRow): number => b.waiterMs - a.waiterMs;

/** The `limit` greatest; never sorts all of them at once. */
async function greatest(rows: readonly BlameRow[], limit: number): Promise<BlameRow[]> {
  let best: BlameRow[] = [];
  let least = -Infinity;
  await inTurns(rows, (row) => {
    if (row.waiterMs <= least) return;
    best.push(row);
    if (best.length < limit + SORTED_AT_ONCE) return;
    best = best.toSorted(greatestFirst).slice(0, limit);
    least = best.at(-1)?.waiterMs ?? least;
  });
  return best.toSorted(greatestFirst).slice(0, limit);
}

function toLeaf(row: BlameRow, places: ReadonlyMap<string, OwnerPlace>): BlameLeaf {
  const { namespace, class: lockClass, lock, cause, owner, waiterMs } = row;
  const place = owner === null ? undefined : places.get(processOf(owner));
  return {
    namespace,
    class: lockClass,
    lock: lock && { db: lock.db, key: printable(lock.key), keyB64: toBase64Url(lock.key) },
    ...{ cause, owner, waitMs: waiterMs },
    ...(place === undefined ? {} : { place }),
  };
}

/** The classes that the question is about; of single locks theirs, as far as anything is known of them. */
async function classesAskedFor(
  context: QueryContext,
  subject: Subject,
  { from, to, rows }: { from: number; to: number; rows: readonly BlameRow[] },
): Promise<ClassSum[]> {
  const { namespace, class: lockClass, locks } = subject;
  const rollups = await context.history.rollups({
    ...{ level: 'class', namespace, class: lockClass, from, to, stepMs: null },
    // Whether there were any says how well the waiters are known.
    sketches: ['token-time'],
  });
  const sums = await sumByClass(rollups);
  if (locks === null) return sums;
  const known = locks.flatMap(({ db, key }) => context.table.get(db, key)?.class ?? []);
  const classes = new Set([...known, ...rows.map((row) => row.class)]);
  return sums.filter((sum) => classes.has(sum.class));
}

const isHeld = ({ acquisitions, heldMs }: ClassSum): boolean => acquisitions > 0 || heldMs > 0;

/** Somebody may have waited, and nobody could tell. */
const isHidden = (sum: ClassSum): boolean =>
  sum.waiterMs === null && isHeld(sum) && noWaitReason(sum) !== 'never-waits';

/** The weakest of what the figures are made of; what nobody could tell is not in them. */
function evidenceOf(sums: readonly ClassSum[]): Evidence {
  const told = sums.filter(({ waiterMs }) => waiterMs !== null).map(waiterEvidence);
  if (told.includes('inferred')) return 'inferred';
  return told.length > 0 ? 'observed' : 'unknown';
}

/**
 * Waiting time by the holder that caused it, the greatest first, over the last five minutes by default. Where no
 * class of the range shows who waits, the evidence is `unknown`, and nothing says that nobody waited.
 * Throws INVALID_INPUT.
 */
export async function blame(context: QueryContext, params: BlameParams): Promise<Blame> {
  const subject = subjectOf(context, params);
  const { from, to, watchedFrom } = await watchedRange(context, params, BLAME_RANGE_MS);
  const { causes, totalMs } = await causesBy(
    params.by ?? 'holder',
    await causesWithin(context, subject, { from, to }),
  );
  const shown = await greatest(causes, params.limit ?? DEFAULT_LIMIT);
  const shownMs = shown.reduce((sum, { waiterMs }) => sum + waiterMs, 0);
  const places = placesAt(
    context,
    shown.flatMap(({ lock }) => lock ?? []),
  );
  const sums = await classesAskedFor(context, subject, { from, to, rows: shown });
  return {
    from: watchedFrom,
    to,
    totalMs,
    leaves: shown.map((row) => toLeaf(row, places)),
    leftOut: {
      count: causes.length - shown.length,
      waitMs: causes.length > shown.length ? totalMs - shownMs : 0,
    },
    evidence: evidenceOf(sums),
    notObservable: [...new Set(sums.filter(isHidden).map((sum) => sum.class))].toSorted(),
    gaps: await gapsWithin(context, watchedFrom, to),
  };
}
