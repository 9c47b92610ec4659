import { describe, expect, it } from 'vitest';
import { chainRows } from '@/components/graph/chain-rows';
import type { WaitChain } from '@/lib/protocol/deadlock';

const lock = { db: 0, key: 'k', keyB64: 'aw' };
const wait = (owner: string, behind: number | null, depth: number, since: number | null = null) =>
  ({ owner, lock, since, evidence: 'observed', behind, depth }) as const;

const chain = (waits: WaitChain['waits']): WaitChain => ({
  ...{ id: 'c', root: 'r', holds: [], waits, blocked: waits.length, depth: 3, since: null },
  evidence: 'observed',
});

const TREE = chain([
  wait('late', null, 1, 200),
  wait('early', null, 1, 100),
  wait('child', 1, 2, 150),
  wait('grandchild', 2, 3, 160),
]);

describe('the rows of a chain', () => {
  it('stand each below the one that it waits for, the longest waiting first', () => {
    const rows = chainRows(TREE, new Set());
    expect(rows.map((row) => row.wait.owner)).toEqual(['early', 'child', 'grandchild', 'late']);
    expect(rows.map(({ behind }) => behind)).toEqual([2, 1, 0, 0]);
  });

  it('leave out what is below a closed one, and count it all the same', () => {
    const rows = chainRows(TREE, new Set([1]));
    expect(rows.map((row) => row.wait.owner)).toEqual(['early', 'late']);
    expect(rows[0]).toMatchObject({ behind: 2, isOpen: false });
  });

  it('are all there of a chain that is ten thousand steps deep', () => {
    const deep = chain(
      Array.from({ length: 10_000 }, (_, i) => wait(`o${i}`, i === 0 ? null : i - 1, i + 1)),
    );
    expect(chainRows(deep, new Set())).toHaveLength(10_000);
  });
});
