import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Rollup } from '@/server/store/store-contract';
import type { QueryContext } from './query-context';
import { stepOf, type RollupParts } from './rollup-reader';

const HOUR_MS = 3_600_000;

export interface WatchedRange {
  from: number;
  to: number;
  /** The first moment in the range of which anything is known, or was read: see {@link ReadRollups}. */
  watchedFrom: number;
  rollups: Rollup[];
}

/** Throws INVALID_INPUT for a range that ends before it begins. */
export function requireOrder(from: number, to: number): void {
  if (from > to) {
    throw new CodedError('INVALID_INPUT', said('invalid:range', {}), { field: 'from' });
  }
}

/**
 * The rollups of a range, by default the last hour. Before the first rollup and the start of this
 * process nothing is known; later times without rollups were watched, and nothing happened.
 */
export async function watchedRange(
  context: QueryContext,
  params: { from?: number | undefined; to?: number | undefined },
  { parts, defaultMs = HOUR_MS }: { parts: RollupParts; defaultMs?: number },
): Promise<WatchedRange> {
  const to = params.to ?? context.now();
  const from = params.from ?? Math.max(0, to - defaultMs);
  requireOrder(from, to);
  const read = await context.rollups.read(stepOf(from), to, parts);
  const { rollups } = read;
  let first = context.startedAt;
  for (const { step } of rollups) if (step < first) first = step;
  const watchedFrom = Math.min(to, Math.max(from, read.from, first));
  return { from, to, watchedFrom, rollups };
}

/** The part of a range from `from` on. */
export const lastPartOf = (range: WatchedRange, from: number): WatchedRange => ({
  from,
  to: range.to,
  watchedFrom: Math.max(from, range.watchedFrom),
  rollups: range.rollups.filter(({ step }) => step >= from),
});
