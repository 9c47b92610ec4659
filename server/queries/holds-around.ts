import type { Bytes } from '@/lib/protocol/bytes';
import { mergeHolds } from './past-holds';
import { coversMoment, holdsOfRecord, type PastNameAndHold } from './past-picture';
import type { ServerContext } from './query-context';

/** Holds that are told before a moment, and after it. */
const EACH_SIDE = 20;
/** More than these within a span, and its first ones may be cut off. */
const MOST_IN_SPAN = 500;
const FIRST_SPAN_MS = 1000;
const LONGER = 16;

interface Lock {
  db: number;
  key: Bytes;
}

/** Reads what began in (`at`, `at` + `spanMs`]: the newest `limit`, newest first. */
type ReadSpan = (spanMs: number, limit: number) => Promise<PastNameAndHold[]>;

/**
 * The first holds after a moment: all of the span that is told with them, newest first. History answers the newest
 * of a span, and a busy lock has millions of holds: they are looked for in ever longer spans, and in shorter ones
 * where one held too many.
 */
export async function firstAfter(
  read: ReadSpan,
  longestMs: number,
): Promise<{ found: PastNameAndHold[]; spanMs: number }> {
  let tooShortMs = 0;
  let spanMs = Math.min(FIRST_SPAN_MS, longestMs);
  let tooLongMs = Infinity;
  for (;;) {
    const found = await read(spanMs, MOST_IN_SPAN);
    const isCut = found.length >= MOST_IN_SPAN;
    const isFound = found.length >= EACH_SIDE || (found.length > 0 && tooLongMs < Infinity);
    if (!isCut && (isFound || spanMs >= longestMs)) return { found, spanMs };
    if (isCut) tooLongMs = spanMs;
    else tooShortMs = spanMs;
    if (tooLongMs - tooShortMs <= 1) return { found, spanMs };
    const next = tooLongMs === Infinity ? spanMs * LONGER : (tooShortMs + tooLongMs) / 2;
    spanMs = Math.ceil(Math.min(next, longestMs));
  }
}

/** The holds of a lock around a moment, at most 20 before it and 20 after it, oldest first. */
export async function holdsAround(
  context: ServerContext,
  { db, key }: Lock,
  at: number,
): Promise<PastNameAndHold[]> {
  const { store, recorder, table, targetId: target } = context;
  const after: ReadSpan = async (spanMs, limit) => {
    const query = { target, db, key, from: at + 1, to: at + 1 + spanMs, limit };
    return (await store.holds(query)).filter(({ past }) => past.start > at);
  };
  const [before, later, pending] = await recorder.whileSettled(
    async () =>
      [
        await store.holds({ target, db, key, to: at + 1, limit: EACH_SIDE + 1 }),
        await firstAfter(after, Math.max(1, context.now() - at)),
        recorder.pending().holds.filter((row) => row.db === db && row.key === key),
      ] as const,
  );
  const record = table.get(db, key);
  const until = at + 1 + later.spanMs;
  const all = mergeHolds<PastNameAndHold>(
    before,
    later.found,
    pending,
    record ? holdsOfRecord(record) : [],
  )
    .filter(({ past }) => past.start < until)
    .sort((a, b) => a.past.start - b.past.start || a.past.generation - b.past.generation);
  const begun = all.filter(({ past }) => past.start <= at);
  return [...begun.slice(-EACH_SIDE - 1), ...all.slice(begun.length).slice(0, EACH_SIDE)];
}

/** Which of the holds covers the moment, and the ones beside it. `holds` oldest first. */
export function stepsAround(
  holds: readonly PastNameAndHold[],
  at: number,
): Record<'hold' | 'before' | 'after', PastNameAndHold | null> {
  const hold = holds.findLast(({ past }) => coversMoment(at, past)) ?? null;
  const begun = holds.filter((each) => each !== hold && each.past.start <= at);
  return {
    hold,
    before: begun.at(-1) ?? null,
    after: holds.find(({ past }) => past.start > at) ?? null,
  };
}
