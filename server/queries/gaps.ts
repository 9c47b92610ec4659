import type { Gap } from '@/lib/protocol/target';
import type { WaitRow } from '@/server/store/history-contract';
import type { ServerContext } from './query-context';

/** Gaps that touch [from, to], those still open and those on their way into the store included, oldest first. */
export async function gapsWithin(context: ServerContext, from: number, to: number): Promise<Gap[]> {
  const open = context.watch
    .status()
    .nodes.flatMap((node) => node.gaps)
    .filter((gap) => gap.to === null && gap.from <= to);
  const pending = context.recorder
    .pending()
    .gaps.filter((gap) => gap.from < to && (gap.to ?? to) >= from);
  // After the others: what is written while the store is asked would be in neither.
  const stored = await context.store.gaps({ target: context.targetId, from, to });
  const byStart = new Map([...open, ...pending].map((gap) => [gap.from, gap]));
  for (const { from: start, to: end, reason } of stored) {
    byStart.set(start, { from: start, to: end, reason });
  }
  return [...byStart.values()].toSorted((a, b) => a.from - b.from);
}

/** How much of [from, to) lies inside gaps, in milliseconds. */
export function gapMsWithin(gaps: readonly Gap[], from: number, to: number): number {
  let covered = 0;
  let end = from;
  for (const gap of gaps) {
    const start = Math.max(end, gap.from);
    const stop = Math.min(to, gap.to ?? to);
    if (stop > start) {
      covered += stop - start;
      end = stop;
    }
  }
  return covered;
}

/** In a gap nobody saw who waited; a client that tells how long it waited has measured that itself. */
export const isLengthKnown = (
  { start, end, source, evidence }: Pick<WaitRow, 'start' | 'end' | 'source' | 'evidence'>,
  gaps: readonly Gap[],
): boolean =>
  evidence !== 'unknown' &&
  (source === 'report' || !gaps.some((gap) => start <= (gap.to ?? end) && end >= gap.from));
