import { describe, expect, it } from 'vitest';
import { chainsOf } from '@/lib/analysis/wait-chains';
import type { WaitRequest } from '@/lib/analysis/wait-graph';

const wait = (owner: string, lock: string, holders: string[], needs = holders.length) =>
  ({ owner, lock, holders, needs, via: 'hold' }) satisfies WaitRequest;

describe('a chain of waits', () => {
  it('begins with the owner that waits for nobody, parents before children', () => {
    const [chain, ...others] = chainsOf([
      wait('C', 'y', ['B']),
      wait('B', 'x', ['A']),
      wait('D', 'x', ['A']),
      wait('E', 'z', ['C']),
    ]);
    expect(others).toEqual([]);
    expect(chain).toEqual({
      root: 'A',
      locks: ['x'],
      links: [
        { owner: 'B', lock: 'x', via: 'hold', behind: null, depth: 1 },
        { owner: 'D', lock: 'x', via: 'hold', behind: null, depth: 1 },
        { owner: 'C', lock: 'y', via: 'hold', behind: 0, depth: 2 },
        { owner: 'E', lock: 'z', via: 'hold', behind: 2, depth: 3 },
      ],
      depth: 3,
    });
  });

  it('is told below each of the readers that a writer waits for, the larger first', () => {
    const chains = chainsOf([
      wait('W', 'page', ['R1', 'R2']),
      wait('X', 'own', ['R2']),
      wait('V', 'w', ['W']),
    ]);
    expect(chains.map(({ root, links }) => [root, links.map(({ owner }) => owner)])).toEqual([
      ['R2', ['W', 'X', 'V']],
      ['R1', ['W', 'V']],
    ]);
  });

  it('is none where any of several permits may come back, nor among those in a circle', () => {
    expect(chainsOf([wait('A', 'pool', ['B', 'C'], 1)])).toEqual([]);
    expect(chainsOf([wait('A', 'x', ['B']), wait('B', 'y', ['A']), wait('C', 'x', ['B'])])).toEqual(
      [],
    );
  });
});
