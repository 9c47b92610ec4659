import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { Blame, BlameLeaf } from '@/lib/protocol/measures';
import type { BlameParams } from '@/lib/protocol/queries';
import type { BlameRow } from '@/server/store/history-contract';
import { noWaitReason, sumByClass, waiterEvidence, type ClassSum } from './class-sums';
import { gapsWithin } from './gaps';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';
import { questionsOf, subjectOf, type Subject } from './subject';
import { watchedRange } from './watched-range';

/** The range where none is asked for. */
export const BLAME_RANGE_MS = 5 * 60_000;
const DEFAULT_LIMIT = 200;

/** Rows of one cause as one, whatever library wrote the lock, and what they add up to. */
async function added(rows: readonly BlameRow[]): Promise<{ leaves: BlameRow[]; totalMs: number }> {
  const leaves = new Map<string, BlameRow>();
  let totalMs = 0;
  await inTurns(rows, (row) => {
    totalMs += row.waiterMs;
    const { namespace, class: lockClass, lock, cause, owner } = row;
    const name = [namespace, lockClass, lock?.db, lock?.key, cause, owner].join('\n');
    const known = leaves.get(name);
    leaves.set(name, known ? { ...known, waiterMs: known.waiterMs + row.waiterMs } : row);
  });
  const caused = [...leaves.values()].filter(({ waiterMs }) => waiterMs !== 0);
  // They come the greatest first, which leaves little to sort.
  return { leaves: caused.toSorted((a, b) => b.waiterMs - a.waiterMs), totalMs };
}

function toLeaf({
  namespace,
  class: lockClass,
  lock,
  cause,
  owner,
  waiterMs,
}: BlameRow): BlameLeaf {
  return {
    namespace,
    class: lockClass,
    lock: lock && { db: lock.db, key: printable(lock.key), keyB64: toBase64Url(lock.key) },
    ...{ cause, owner, waitMs: waiterMs },
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
  const answers: BlameRow[][] = [];
  for (const question of questionsOf(subject)) {
    answers.push(await context.history.blame({ ...question, from, to }));
  }
  const rows = answers.flat();
  const { leaves, totalMs } = await added(rows);
  const sums = await classesAskedFor(context, subject, { from, to, rows });
  const shown = leaves.slice(0, params.limit ?? DEFAULT_LIMIT).map(toLeaf);
  return {
    from: watchedFrom,
    to,
    totalMs,
    leaves: shown,
    leftOut: {
      count: leaves.length - shown.length,
      waitMs: leaves.slice(shown.length).reduce((sum, { waiterMs }) => sum + waiterMs, 0),
    },
    evidence: evidenceOf(sums),
    notObservable: [...new Set(sums.filter(isHidden).map((sum) => sum.class))].toSorted(),
    gaps: await gapsWithin(context, watchedFrom, to),
  };
}
