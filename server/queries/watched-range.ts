import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Tier } from '@/server/store/history-contract';
import { finestSpanAt } from '@/server/store/tiers';
import type { ServerContext } from './query-context';

/** The range where none is asked for. */
export const HOUR_MS = 3_600_000;

export interface WatchedRange {
  from: number;
  to: number;
  /** The first moment in the range of which anything is known. */
  watchedFrom: number;
}

/** Throws INVALID_INPUT for a range that ends before it begins. */
export function requireOrder(from: number, to: number): void {
  if (from > to) {
    throw new CodedError('INVALID_INPUT', said('invalid:range', {}), { field: 'from' });
  }
}

/** The lengths of step in which history is kept, the shortest first. */
export const tiersOf = ({ config }: ServerContext): readonly Tier[] => config.retention.tiers;

/** Length of the shortest step in which history of that time is kept. */
export const spanAt = (context: ServerContext, at: number): number =>
  finestSpanAt(tiersOf(context), at, context.now());

export const downTo = (stepMs: number, at: number): number => Math.floor(at / stepMs) * stepMs;

/**
 * A range, by default the last hour and never beyond the present, in whole steps of history: figures of a part of one
 * are not kept. Of what was before the first step kept and before this process began nothing is known; later times
 * without figures were watched, and nothing happened. Throws INVALID_INPUT for a range that ends before it begins.
 */
export async function watchedRange(
  context: ServerContext,
  params: { from?: number | undefined; to?: number | undefined },
  defaultMs = HOUR_MS,
): Promise<WatchedRange> {
  const now = context.now();
  requireOrder(params.from ?? 0, params.to ?? now);
  const end = Math.min(params.to ?? now, now);
  const begin = Math.min(params.from ?? Math.max(0, end - defaultMs), end);
  const from = downTo(spanAt(context, begin), begin);
  const endSpan = spanAt(context, end);
  // What has not come yet is no part of a step that lasts.
  const to = Math.max(end, Math.min(now, Math.ceil(end / endSpan) * endSpan));
  const known = (await context.history.knownFrom()) ?? Infinity;
  const watchedFrom = Math.min(to, Math.max(from, Math.min(known, context.startedAt)));
  return { from, to, watchedFrom };
}
