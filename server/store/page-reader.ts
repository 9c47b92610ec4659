import type { Kysely } from 'kysely';
import { firstStepIn, readParts, type PartsRange } from './page-rows';
import type { Run } from './read-plan';
import type { PageKind, Schema } from './schema';

/** Steps asked for at once: a few megabytes at 5,000 series. */
const STEPS_AT_ONCE = 16;
/** From so many steps on it pays to ask where they begin. */
const LONG_RUN = 8 * STEPS_AT_ONCE;

export interface StoredPart {
  spanMs: number;
  step: number;
  bytes: Uint8Array;
}

/** The parts of all runs, some at a time; the next ones are read while these are worked on. */
export async function* partsOf(
  db: Kysely<Schema>,
  { targetId, kind, runs }: { targetId: number; kind: PageKind; runs: readonly Run[] },
): AsyncGenerator<StoredPart[]> {
  const ranges: PartsRange[] = [];
  for (const run of runs) {
    const from = await startOf(db, { targetId, kind, ...run });
    if (from === null) continue;
    ranges.push(...rangesOf({ ...run, from }).map((range) => ({ targetId, kind, ...range })));
  }
  let next = start(db, ranges[0]);
  for (const [i] of ranges.entries()) {
    const parts = await next;
    next = start(db, ranges[i + 1]);
    yield parts;
  }
}

/** Where reading begins; null = nothing is there. A young database has no pages of most of a long range. */
async function startOf(db: Kysely<Schema>, range: PartsRange): Promise<number | null> {
  const { from, to, spanMs } = range;
  return (to - from) / spanMs > LONG_RUN ? await firstStepIn(db, range) : from;
}

function start(db: Kysely<Schema>, range: PartsRange | undefined): Promise<StoredPart[]> {
  if (!range) return Promise.resolve([]);
  const { spanMs } = range;
  const reading = readParts(db, range).then((parts) => parts.map((part) => ({ spanMs, ...part })));
  // Whoever awaits it hears of the failure; the reader may have stopped before because of another one.
  reading.catch(() => {});
  return reading;
}

function rangesOf({ spanMs, from, to }: Run): Run[] {
  const ranges: Run[] = [];
  for (let at = from; at < to; at += STEPS_AT_ONCE * spanMs) {
    ranges.push({ spanMs, from: at, to: Math.min(to, at + STEPS_AT_ONCE * spanMs) });
  }
  return ranges;
}
