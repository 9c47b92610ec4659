import type { Kysely } from 'kysely';
import { readParts, type PartsRange } from './page-rows';
import type { Run } from './read-plan';
import type { PageKind, Schema } from './schema';

/** Steps asked for at once: a few megabytes at 5,000 series. */
const STEPS_AT_ONCE = 16;

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
  const ranges = runs.flatMap((run) =>
    rangesOf(run).map((range) => ({ targetId, kind, ...range })),
  );
  let next = start(db, ranges[0]);
  for (const [i] of ranges.entries()) {
    const parts = await next;
    next = start(db, ranges[i + 1]);
    yield parts;
  }
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
