import type { HistoryKept } from '@/lib/protocol/measures';
import { gapsWithin } from './gaps';
import { holdsKeptFrom } from './past-moment';
import type { ServerContext } from './query-context';

const MOST_GAPS = 1000;

/** What is kept of the past, and where it has holes. */
export async function history(context: ServerContext): Promise<HistoryKept> {
  const kept = await context.store.kept();
  const { kind, diskBytes } = context.store.health;
  const from = await holdsKeptFrom(context, kept);
  const gaps = await gapsWithin(context, from ?? context.startedAt, context.now());
  return {
    kind,
    diskBytes,
    maxBytes: kept.maxBytes,
    cutAt: kept.cutAt,
    tiers: kept.tiers.map((tier) => ({
      spanMs: tier.spanMs,
      keepMs: tier.keepMs,
      from: tier.from,
    })),
    holds: { keepMs: kept.holds.keepMs, from },
    gaps: gaps.slice(-MOST_GAPS),
    lostRows: context.recorder.lostRows,
  };
}
