import type { Gap } from '@/lib/protocol/target';
import type { Kept } from '@/server/store/history-contract';
import { gapsWithin } from './gaps';
import type { ServerContext } from './query-context';

/** What can be said of a moment at all. */
export interface Moment {
  /** Epoch ms; the present where a later moment was asked for. */
  at: number;
  /** In which it lies: what was then is not known. */
  gap: Gap | null;
  /** Of moments before this nothing is kept. */
  keptFrom: number | null;
}

const covers = (at: number, gap: Gap): boolean =>
  gap.from <= at && (gap.to === null || at < gap.to);

export async function momentOf(context: ServerContext, asked: number): Promise<Moment> {
  const at = Math.min(asked, context.now());
  const [gaps, kept] = await Promise.all([gapsWithin(context, at, at + 1), context.store.kept()]);
  return {
    at,
    gap: gaps.find((gap) => covers(at, gap)) ?? null,
    keptFrom: holdsKeptFrom(kept, context),
  };
}

/**
 * From when on it is known who held what: since the watch began, as far as it is kept. The first hold kept may be
 * younger than the watch, and before it nobody held anything; unless older ones were cut off for want of room.
 */
export function holdsKeptFrom(
  { holds, cutAt }: Pick<Kept, 'holds' | 'cutAt'>,
  { startedAt, now }: Pick<ServerContext, 'startedAt' | 'now'>,
): number | null {
  if (cutAt !== null) return holds.from ?? cutAt;
  const watchedFrom = Math.min(startedAt, holds.from ?? startedAt);
  return Math.max(watchedFrom, now() - holds.keepMs);
}
