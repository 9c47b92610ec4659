import type { WaitChain } from '@/lib/protocol/deadlock';

export interface ChainRow {
  /** Index in `waits`. */
  index: number;
  wait: WaitChain['waits'][number];
  /** How many wait for this one, directly and through others. */
  behind: number;
  isOpen: boolean;
}

/** Who waits, each below the one it waits for, longest waiting first; below those that are closed nobody. */
export function chainRows({ waits }: WaitChain, closed: ReadonlySet<number>): ChainRow[] {
  const below = new Map<number | null, number[]>();
  waits.forEach(({ behind }, index) => below.set(behind, [...(below.get(behind) ?? []), index]));
  const sizes = new Map<number, number>();
  // Parents stand before their children.
  for (let index = waits.length - 1; index >= 0; index--) {
    const children = below.get(index) ?? [];
    sizes.set(
      index,
      children.reduce((sum, child) => sum + 1 + (sizes.get(child) ?? 0), 0),
    );
  }
  const since = (index: number): number => waits[index]?.since ?? Infinity;
  const inTime = (indexes: readonly number[]) =>
    indexes.toSorted((a, b) => order(since(a), since(b)));
  const rows: ChainRow[] = [];
  // A stack, because a chain can be deeper than that of calls.
  const open = inTime(below.get(null) ?? []).toReversed();
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const wait = waits[index];
    if (!wait) continue;
    const behind = sizes.get(index) ?? 0;
    const isOpen = behind > 0 && !closed.has(index);
    rows.push({ index, wait, behind, isOpen });
    if (isOpen) open.push(...inTime(below.get(index) ?? []).toReversed());
  }
  return rows;
}

/** Both may be infinite, and of those the difference is no number. */
const order = (a: number, b: number): number => (a === b ? 0 : a - b);
