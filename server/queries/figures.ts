import type { Gap } from '@/lib/protocol/target';
import type { Rollup, SketchKind } from '@/server/store/history-contract';
import { HOLD_AND_WAIT_SKETCHES } from './class-sums';
import { MOST_ROWS, rollupsOfRows, rowsOf } from './lock-rows';
import type { QueryContext } from './query-context';
import { questionsOf, type Subject } from './subject';
import type { WatchedRange } from './watched-range';

/** Figures are added up in steps of this length; null = to one for the whole range. */
export interface Span {
  from: number;
  to: number;
  stepMs: number | null;
}

/** Where the figures of a subject come from. */
export interface Figures {
  /** Rollups with the distributions of holds and waits. */
  read: (span: Span) => Promise<readonly Rollup[]>;
  /** Of what was before nothing is known. */
  knownFrom: number;
}

/**
 * Classes are added up as they go, and so are the locks that were heavy in a step. Of other locks history has each
 * hold and wait instead, for a while. Neither tells one that was not, so the one that tells more is nearer the truth.
 */
export async function figuresOf(
  context: QueryContext,
  subject: Subject,
  range: WatchedRange & { gaps: readonly Gap[] },
): Promise<Figures> {
  const { from, to, watchedFrom } = range;
  const addedUp: Figures = {
    read: (span) => readRollups(context, subject, { ...span, sketches: HOLD_AND_WAIT_SKETCHES }),
    knownFrom: watchedFrom,
  };
  if (subject.locks === null) return addedUp;
  const sums = await readRollups(context, subject, { from, to, stepMs: null, sketches: [] });
  const counted = sums.reduce((count, rollup) => count + endedIn(rollup), 0);
  if (counted > MOST_ROWS) return addedUp;
  const rows = await rowsOf(context, subject, range);
  if (rows.holds.length + rows.waits.length <= counted) return addedUp;
  return { read: async (span) => await rollupsOfRows(rows, span), knownFrom: rows.knownFrom };
}

/** Holds and waits that ended. */
const endedIn = ({ ends, waits }: Rollup): number =>
  Object.values(ends).reduce((count, more) => count + more, waits ?? 0);

async function readRollups(
  context: QueryContext,
  subject: Subject,
  query: Span & { sketches: readonly SketchKind[] },
): Promise<readonly Rollup[]> {
  const level = subject.locks === null ? 'class' : 'lock';
  const answers: (readonly Rollup[])[] = [];
  for (const question of questionsOf(subject)) {
    answers.push(await context.history.rollups({ level, ...question, ...query }));
  }
  const [only, ...others] = answers;
  return only && others.length === 0 ? only : answers.flat();
}
