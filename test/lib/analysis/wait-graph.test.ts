import { describe, expect, it } from 'vitest';
import { findCycles, waitEdges, type WaitEdge } from '@/lib/analysis/wait-graph';

const edge = (owner: string, lock: string, holder: string): WaitEdge => ({ owner, lock, holder });

const path = (edges: WaitEdge[]): string =>
  edges.map((step) => `${step.owner}>${step.lock}`).join(' ');

const ring = (size: number, name = 'o'): WaitEdge[] =>
  Array.from({ length: size }, (_, i) => edge(`${name}${i}`, `l${i}`, `${name}${(i + 1) % size}`));

describe('the wait graph', () => {
  it('joins waits with every holder of the lock and forgets waits for a free one', () => {
    const held = new Map([
      ['x', ['A']],
      ['pool', ['B', 'C']],
    ]);
    const waits = [
      { owner: 'B', lock: 'x' },
      { owner: 'A', lock: 'pool' },
      { owner: 'A', lock: 'free' },
    ];
    expect(waitEdges(waits, held)).toEqual([
      edge('B', 'x', 'A'),
      edge('A', 'pool', 'B'),
      edge('A', 'pool', 'C'),
    ]);
  });

  it('finds two owners that wait for each other, from the smallest edge', () => {
    const { cycles, selfWaits, complete } = findCycles([
      edge('B', 'acct:1', 'A'),
      edge('A', 'acct:2', 'B'),
    ]);
    expect(cycles.map((cycle) => path(cycle.edges))).toEqual(['A>acct:2 B>acct:1']);
    expect(selfWaits).toEqual([]);
    expect(complete).toBe(true);
  });

  it('gives a cycle one id whatever the order of the edges, and repeats change nothing', () => {
    const edges = ring(5);
    const first = findCycles(edges).cycles;
    const again = findCycles([...edges.toReversed(), ...edges]).cycles;
    expect(again).toEqual(first);
    expect(first).toHaveLength(1);
    expect(findCycles(ring(5, 'other')).cycles[0]?.id).not.toBe(first[0]?.id);
  });

  it('does not take the direction of waiting for granted: a chain is no cycle', () => {
    const chain = [edge('A', 'x', 'B'), edge('B', 'y', 'C'), edge('D', 'x', 'B')];
    expect(findCycles(chain).cycles).toEqual([]);
  });

  it('leaves out those who wait behind a cycle', () => {
    const { cycles } = findCycles([
      ...ring(3),
      edge('late', 'l0', 'o1'),
      edge('later', 'q', 'late'),
    ]);
    expect(cycles.map((cycle) => cycle.edges.map((step) => step.owner))).toEqual([
      ['o0', 'o1', 'o2'],
    ]);
  });

  it('tells cycles apart that share an owner or run through two locks of one holder', () => {
    const { cycles } = findCycles([
      edge('A', 'x', 'B'),
      edge('B', 'y', 'A'),
      edge('A', 'z', 'C'),
      edge('C', 'y', 'A'),
      edge('A', 'x2', 'B'),
    ]);
    expect(cycles.map((cycle) => path(cycle.edges)).toSorted()).toEqual([
      'A>x B>y',
      'A>x2 B>y',
      'A>z C>y',
    ]);
  });

  it('reports a wait for oneself apart from cycles', () => {
    const { cycles, selfWaits } = findCycles([edge('A', 'x', 'A'), ...ring(2)]);
    expect(selfWaits).toEqual([edge('A', 'x', 'A')]);
    expect(cycles).toHaveLength(1);
  });

  it('keeps names apart that would run together when joined', () => {
    const a = findCycles([edge('a b', 'c', 'd'), edge('d', 'e', 'a b')]).cycles[0]?.id;
    const b = findCycles([edge('a', 'b c', 'd'), edge('d', 'e', 'a')]).cycles[0]?.id;
    expect(a).not.toBe(b);
  });

  it('follows one ring of 10,000 owners without running out of stack', () => {
    const { cycles } = findCycles(ring(10_000));
    expect(cycles).toHaveLength(1);
    expect(cycles[0]?.edges).toHaveLength(10_000);
  });

  it('stays bounded in a tangle where everybody waits for everybody, and says so', () => {
    const names = Array.from({ length: 100 }, (_, i) => `o${i}`);
    const tangle = names.flatMap((owner) =>
      names
        .filter((holder) => holder !== owner)
        .map((holder) => edge(owner, `l-${holder}`, holder)),
    );
    const all = findCycles(tangle, 10_000);
    expect(all.complete).toBe(true);
    expect(all.cycles).toHaveLength((100 * 99) / 2);
    const some = findCycles(tangle, 50);
    expect(some.complete).toBe(false);
    expect(some.cycles).toHaveLength(50);
  });
});
