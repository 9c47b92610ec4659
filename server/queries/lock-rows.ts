import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';
import type { HoldNote } from '@/lib/protocol/lock';
import type { Gap } from '@/lib/protocol/target';
import {
  ROLLUP_STEP_MS,
  type LockName,
  type Rollup,
  type SketchKind,
  type WaitRow,
} from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';
import { emptySums } from '@/server/store/sums';
import type { Span } from './figures';
import { isLengthKnown } from './gaps';
import { inTurns } from './in-turns';
import { holdsPending, mergeHolds } from './past-holds';
import type { QueryContext } from './query-context';
import type { Subject } from './subject';
import { downTo, type WatchedRange } from './watched-range';

/** Holds and waits of a lock that are read one by one; one with more is no cold lock, and is added up. */
export const MOST_ROWS = 1000;

/** Notes of holds whose length is a bound and not a measurement. */
const NOT_MEASURED: readonly HoldNote[] = [
  'touches-gap',
  'started-in-gap',
  'ended-in-gap',
  'started-before-watch',
];

/** Holds and waits of some locks, one by one, that ended in a range. */
export interface LockRows {
  holds: readonly HoldRow[];
  /** Those of which the length is known. */
  waits: readonly WaitRow[];
  /** Of what was before nothing is known here. */
  knownFrom: number;
  /** `kindOf` the rows whose waiters were counted at some time in the range. */
  counted: ReadonlySet<string>;
}

const kindOf = (row: { namespace: string; class: string; formatId: string }): string =>
  [row.namespace, row.class, row.formatId].join('\n');

export async function rowsOf(
  context: QueryContext,
  subject: Subject,
  range: WatchedRange & { gaps: readonly Gap[] },
): Promise<LockRows> {
  const { namespace, class: lockClass } = subject;
  const { from, to, gaps } = range;
  let knownFrom = Math.max(range.watchedFrom, await rowsKeptFrom(context));
  const holds: HoldRow[] = [];
  const waits: WaitRow[] = [];
  for (const lock of subject.locks ?? []) {
    const { ended, isCut } = await endedHolds(context, lock, { from, to });
    const about = { namespace, class: lockClass, lock, from, to };
    const waited = await context.history.waits({ ...about, order: 'newest', limit: MOST_ROWS });
    // What ended before the oldest of these was left out.
    if (isCut) knownFrom = Math.max(knownFrom, ended.at(-1)?.past.end ?? to);
    if (waited.length >= MOST_ROWS) knownFrom = Math.max(knownFrom, waited.at(-1)?.end ?? to);
    holds.push(...ended.filter((row) => isAbout(subject, row)));
    waits.push(...waited.filter((wait) => isLengthKnown(wait, gaps)));
  }
  const counted = await countedKinds(context, holds, { from, to });
  return { holds, waits, knownFrom: Math.min(to, knownFrom), counted };
}

const isAbout = ({ namespace, class: lockClass }: Subject, row: HoldRow): boolean =>
  (namespace === undefined || row.namespace === namespace) &&
  (lockClass === undefined || row.class === lockClass);

/** Before this, holds and waits are gone. */
export async function rowsKeptFrom({ store, now }: QueryContext): Promise<number> {
  const { holds, cutAt } = await store.kept();
  return Math.max(now() - holds.keepMs, cutAt === null ? 0 : (holds.from ?? now()));
}

async function endedHolds(
  context: QueryContext,
  { db, key }: LockName,
  { from, to }: { from: number; to: number },
): Promise<{ ended: HoldRow[]; isCut: boolean }> {
  const target = context.targetId;
  const stored = await context.store.holds({ target, db, key, from, to, limit: MOST_ROWS });
  const pending = holdsPending(context, (row) => row.db === db && row.key === key);
  const ended = mergeHolds(stored, pending).filter(
    ({ past: { end } }) => end !== null && end >= from && end < to,
  );
  return { ended, isCut: stored.length >= MOST_ROWS };
}

/** The kinds of lock, of those in `holds`, whose waiters were counted. */
async function countedKinds(
  { history }: QueryContext,
  holds: readonly HoldRow[],
  { from, to }: { from: number; to: number },
): Promise<Set<string>> {
  const counted = new Set<string>();
  for (const lockClass of new Set(holds.map((row) => row.class))) {
    const query = { class: lockClass, from, to, stepMs: null, sketches: [] };
    for (const rollup of await history.rollups({ level: 'class', ...query })) {
      if (rollup.waiterMs !== null) counted.add(kindOf(rollup));
    }
  }
  return counted;
}

interface Cell {
  rollup: Rollup;
  sketches: Partial<Record<SketchKind, Sketch>>;
}

/** What the rows add up to, as rollups of whole classes do. */
export async function rollupsOfRows(rows: LockRows, span: Span): Promise<Rollup[]> {
  const { from, to, stepMs } = span;
  const cells = new Map<string, Cell>();
  const cellAt = (at: number, row: HoldRow | WaitRow): Cell => {
    const step = stepMs === null ? from : downTo(stepMs, at);
    const name = `${step}\n${kindOf(row)}`;
    let cell = cells.get(name);
    if (!cell) {
      const waiterMs = rows.counted.has(kindOf(row)) ? 0 : null;
      cell = { rollup: emptyRollup(row, { step, stepMs, waiterMs }), sketches: {} };
      cells.set(name, cell);
    }
    return cell;
  };
  const isWithin = (at: number): boolean => at >= from && at < to;
  await inTurns(rows.holds, (row) => {
    const { start, end, notes } = row.past;
    if (end === null || !isWithin(end)) return;
    const { sketches } = cellAt(end, row);
    if (NOT_MEASURED.some((note) => notes.includes(note))) return;
    (sketches.hold ??= createSketch()).add(end - start);
  });
  await inTurns(rows.waits, (row) => {
    if (!isWithin(row.end)) return;
    const { sketches } = cellAt(row.end, row);
    (sketches[row.source] ??= createSketch()).add(row.end - row.start);
  });
  return [...cells.values()].map(({ rollup, sketches }) => ({
    ...rollup,
    sketches: Object.fromEntries(
      Object.entries(sketches).map(([kind, sketch]) => [kind, sketch.serialise()]),
    ),
  }));
}

function emptyRollup(
  { target, class: lockClass, namespace, formatId }: HoldRow | WaitRow,
  { step, stepMs, waiterMs }: { step: number; stepMs: number | null; waiterMs: number | null },
): Rollup {
  return {
    ...{ target, class: lockClass, namespace, formatId, lock: null },
    ...{ ...emptySums(), waiterMs },
    ...{ step, spanMs: stepMs ?? ROLLUP_STEP_MS, sketches: {} },
  };
}
