import type { Gap } from '@/lib/protocol/target';
import type { Kept } from '@/server/store/history-contract';
import { gapsWithin } from './gaps';
import type { HistoryReader } from './history-reader';
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
  const [gaps, keptFrom] = await Promise.all([
    gapsWithin(context, at, at + 1),
    holdsKeptFrom(context, await context.store.kept()),
  ]);
  return {
    at,
    gap: gaps.find((gap) => covers(at, gap)) ?? null,
    keptFrom,
  };
}

type Watched = Pick<ServerContext, 'startedAt' | 'now'> & {
  history: Pick<HistoryReader, 'knownFrom'>;
};

/**
 * From when on it is known who held what: since the watch began, as far as it is kept. The first hold kept may be
 * younger than the watch, and before it nobody held anything; unless older ones were cut off for want of room. One
 * that is older may be of another target, or have begun before the watch.
 */
export async function holdsKeptFrom(
  { history, startedAt, now }: Watched,
  { holds, cutAt }: Pick<Kept, 'holds' | 'cutAt'>,
): Promise<number | null> {
  if (cutAt !== null) return holds.from ?? cutAt;
  const recordedFrom = (await history.knownFrom()) ?? startedAt;
  const watchedFrom = Math.min(startedAt, Math.max(recordedFrom, holds.from ?? startedAt));
  return Math.max(watchedFrom, now() - holds.keepMs);
}
