import type { Kysely } from 'kysely';
import { firstStepIn, readParts, type PartsRange } from './page-rows';
import type { Run } from './read-plan';
import type { PageKind, Schema } from './schema';

/** Steps asked for at once: a few megabytes at 5,000 series. */
const STEPS_AT_ONCE = 16;
/** Of so many steps it pays to ask where the first one is. */
const LONG_RUN = 8 * STEPS_AT_ONCE;

export interface StoredPart {
  spanMs: number;
  step: number;
  bytes: Uint8Array;
}

interface Asked {
  targetId: number;
  kind: PageKind;
  runs: readonly Run[];
}

/** The parts of all runs, some at a time; the next ones are read while these are worked on. */
export async function* partsOf(db: Kysely<Schema>, asked: Asked): AsyncGenerator<StoredPart[]> {
  const source = batchesOf(db, asked);
  let next = source.next();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = source.next();
    // Whoever awaits it hears of the failure; the reader may have stopped before because of another one.
    next.catch(() => {});
    yield value;
  }
}

/** Where nothing is for long, what is there is looked for: a range may reach over centuries. */
async function* batchesOf(
  db: Kysely<Schema>,
  { targetId, kind, runs }: Asked,
): AsyncGenerator<StoredPart[]> {
  for (const run of runs) {
    const { spanMs, to } = run;
    let from = await startOf(db, { targetId, kind, ...run });
    while (from !== null && from < to) {
      const end: number = Math.min(to, from + STEPS_AT_ONCE * spanMs);
      const parts = await readParts(db, { targetId, kind, spanMs, from, to: end });
      yield parts.map((part) => ({ spanMs, ...part }));
      from = parts.length > 0 ? end : await startOf(db, { targetId, kind, spanMs, from: end, to });
    }
  }
}

/** Where reading begins; null = nothing is there. */
async function startOf(db: Kysely<Schema>, range: PartsRange): Promise<number | null> {
  const { from, to, spanMs } = range;
  return (to - from) / spanMs > LONG_RUN ? await firstStepIn(db, range) : from;
}
