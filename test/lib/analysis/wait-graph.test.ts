import { describe, expect, it } from 'vitest';
import { freedBy, stuckIn, waitsAmongStuck, type WaitRequest } from '@/lib/analysis/wait-graph';
import { findIncidents, type WaitEdge } from '@/lib/analysis/wait-incidents';
import { createRegions } from '@/lib/analysis/wait-region';

const all = (owner: string, lock: string, ...holders: string[]): WaitRequest => ({
  owner,
  lock,
  holders,
  needs: holders.length,
  via: 'hold',
});
const any = (owner: string, lock: string, ...holders: string[]): WaitRequest => ({
  ...all(owner, lock, ...holders),
  needs: 1,
});
const some = (needs: number, request: WaitRequest): WaitRequest => ({ ...request, needs });

const path = (edges: readonly WaitEdge[]): string =>
  edges.map((step) => `${step.owner}>${step.lock}`).join(' ');
const ways = (edges: readonly WaitEdge[]): string[] =>
  edges.map(({ owner, lock, holder, needs }) => `${owner} ${needs} ${lock}:${holder}`);

const ring = (size: number, name = 'o'): WaitRequest[] =>
  Array.from({ length: size }, (_, i) => all(`${name}${i}`, `l${i}`, `${name}${(i + 1) % size}`));

const stuck = (...requests: WaitRequest[]): string[] => [...stuckIn(requests).owners].toSorted();
const paths = (requests: readonly WaitRequest[]): string[] =>
  findIncidents(requests)
    .incidents.map(({ edges }) => path(edges))
    .toSorted();

describe('what cannot go on', () => {
  it('is nobody where a chain of waits ends with one who works', () => {
    expect(stuck(all('A', 'x', 'B'), all('B', 'y', 'C'), all('D', 'x', 'B'))).toEqual([]);
    expect(stuck()).toEqual([]);
  });

  it('is a cycle with all who wait for any of it', () => {
    expect(stuck(...ring(3), all('late', 'l0', 'o1'), all('later', 'q', 'late'))).toEqual([
      'late',
      'later',
      'o0',
      'o1',
      'o2',
    ]);
  });

  it('is not who waits for a permit of which one holder can still go on', () => {
    const pool = any('A', 'pool', 'B', 'C');
    expect(stuck(pool, all('B', 'x', 'A'))).toEqual([]);
    expect(stuck(pool, all('B', 'x', 'A'), all('C', 'x', 'A'))).toEqual(['A', 'B', 'C']);
  });

  it('is a writer as soon as one of its readers is', () => {
    expect(stuck(all('W', 'page', 'R1', 'R2'), all('R2', 'x', 'W'))).toEqual(['R2', 'W']);
  });

  it('is who needs a majority once too many of a quorum are, and not before', () => {
    const quorum = some(2, all('A', 'nodes', 'B', 'C', 'D'));
    expect(stuck(quorum, all('B', 'x', 'A'))).toEqual([]);
    expect(stuck(quorum, all('B', 'x', 'A'), all('C', 'y', 'A'))).toEqual(['A', 'B', 'C']);
  });

  it('is who waits for several locks and lacks one of them', () => {
    expect(stuck(all('A', 'x', 'B'), all('A', 'y', 'C'), all('C', 'z', 'A'))).toEqual(['A', 'C']);
  });

  it('is who waits for what it holds itself, unless another permit can come back', () => {
    expect(stuck(all('A', 'x', 'A'))).toEqual(['A']);
    expect(stuck(all('A', 'x', 'A', 'B'))).toEqual(['A']);
    expect(stuck(any('A', 'pool', 'A', 'B'))).toEqual([]);
    expect(stuck(any('A', 'pool', 'A', 'B'), all('B', 'y', 'A'))).toEqual(['A', 'B']);
  });

  it('is the same among themselves as among all', () => {
    const requests = [
      ...ring(3),
      some(2, all('A', 'nodes', 'o0', 'o1', 'free', 'idle')),
      all('B', 'x', 'B', 'free'),
      all('C', 'y', 'free'),
    ];
    const left = stuckIn(requests);
    expect([...left.owners].toSorted()).toEqual(['B', 'o0', 'o1', 'o2']);
    expect(stuckIn(waitsAmongStuck(left)).owners).toEqual(left.owners);
    const more = stuckIn([...requests, all('free', 'z', 'o0')]);
    expect(more.owners).toContain('A');
    expect(stuckIn(waitsAmongStuck(more)).owners).toEqual(more.owners);
  });

  it('gets less when a hold is taken away', () => {
    const tangle = [...ring(3), all('late', 'l0', 'o1')];
    expect(freedBy(tangle, [{ lock: 'l0', holder: 'o1' }])).toBe(4);
    expect(freedBy(tangle, [{ lock: 'l0', holder: 'nobody' }])).toBe(0);
    const two = [all('A', 'x', 'B'), all('B', 'y', 'A'), all('A', 'z', 'C'), all('C', 'y', 'A')];
    expect(freedBy(two, [{ lock: 'y', holder: 'A' }])).toBe(3);
    expect(freedBy(two, [{ lock: 'x', holder: 'B' }])).toBe(0);
  });
});

describe('a deadlock among waits', () => {
  it('is two owners that wait for each other, from the smallest edge', () => {
    const { incidents, complete } = findIncidents([
      all('B', 'acct:1', 'A'),
      all('A', 'acct:2', 'B'),
    ]);
    expect(incidents.map(({ edges }) => path(edges))).toEqual(['A>acct:2 B>acct:1']);
    expect(complete).toBe(true);
  });

  it('has one id whatever the order of the waits, and repeats change nothing', () => {
    const requests = ring(5);
    const first = findIncidents(requests).incidents;
    const again = findIncidents([...requests.toReversed(), ...requests]).incidents;
    expect(again).toEqual(first);
    expect(first).toHaveLength(1);
    expect(findIncidents(ring(5, 'other')).incidents[0]?.id).not.toBe(first[0]?.id);
  });

  it('leaves out those who wait behind it and counts them', () => {
    const { incidents, stuck: left } = findIncidents([
      ...ring(3),
      all('late', 'l0', 'o1'),
      all('later', 'q', 'late'),
    ]);
    const [incident, ...others] = incidents;
    expect(others).toEqual([]);
    expect(incident?.edges.map(({ owner }) => owner)).toEqual(['o0', 'o1', 'o2']);
    expect(incident && createRegions(left)(incident).behind).toBe(2);
  });

  it('is one of several that share an owner or run through two locks of one holder', () => {
    const requests = [
      all('A', 'x', 'B'),
      all('B', 'y', 'A'),
      all('A', 'z', 'C'),
      all('C', 'y', 'A'),
      all('A', 'x2', 'B'),
    ];
    expect(paths(requests)).toEqual(['A>x B>y', 'A>x2 B>y', 'A>z C>y']);
    expect(paths(requests.toReversed())).toEqual(paths(requests));
  });

  it('does not arise from a wait for oneself, but beside it', () => {
    const { incidents, stuck: left } = findIncidents([all('A', 'x', 'A'), ...ring(2)]);
    expect(incidents).toHaveLength(1);
    const own = left.requests.filter(({ waitsForItself }) => waitsForItself);
    expect(own.map(({ request }) => request.owner)).toEqual(['A']);
  });

  it('of two readers that both want to write is the cycle of the two', () => {
    const upgrade = [all('R1', 'page', 'R1', 'R2'), all('R2', 'page', 'R1', 'R2')];
    expect(paths(upgrade)).toEqual(['R1>page R2>page']);
  });

  it('through permits has every one of their holders, each with its own way back', () => {
    const [knot, ...others] = findIncidents([
      any('A', 'pool', 'B', 'C'),
      all('B', 'x', 'A'),
      all('C', 'y', 'D'),
      all('D', 'z', 'A'),
    ]).incidents;
    expect(others).toEqual([]);
    expect(knot && ways(knot.edges)).toEqual([
      'A or pool:B',
      'A or pool:C',
      'B and x:A',
      'C and y:D',
      'D and z:A',
    ]);
  });

  it('through a quorum has as many of its holders as make it hopeless', () => {
    const nodes = some(2, all('A', 'nodes', 'B', 'C', 'D'));
    const requests = [nodes, ...['B', 'C', 'D'].map((owner) => all(owner, `x${owner}`, 'A'))];
    const { incidents } = findIncidents(requests);
    expect(incidents.length).toBeGreaterThan(0);
    for (const { edges } of incidents) {
      expect(edges.filter(({ lock }) => lock === 'nodes')).toHaveLength(2);
    }
    const covered = new Set(incidents.flatMap(({ edges }) => edges.map(({ owner }) => owner)));
    expect([...covered].toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('is none for those whose permits are all held by others that block each other', () => {
    const requests = [
      any('A', 'pool', 'B', 'C'),
      all('B', 'x', 'A'),
      all('C', 'y', 'D'),
      all('D', 'z', 'C'),
    ];
    const { incidents, stuck: left } = findIncidents(requests);
    expect(incidents.map(({ edges }) => path(edges))).toEqual(['C>y D>z']);
    expect(incidents[0] && createRegions(left)(incidents[0]).behind).toBe(2);
  });

  it('keeps names apart that would run together when joined', () => {
    const a = findIncidents([all('a b', 'c', 'd'), all('d', 'e', 'a b')]).incidents[0]?.id;
    const b = findIncidents([all('a', 'b c', 'd'), all('d', 'e', 'a')]).incidents[0]?.id;
    expect(a).not.toBe(b);
  });

  it('stays as it was told while it stands, though a shorter one comes about', () => {
    const known = findIncidents(ring(4)).incidents;
    const requests = [...ring(4), all('o1', 'short', 'o0')];
    const { incidents } = findIncidents(requests, { known });
    expect(incidents.map(({ edges }) => path(edges))).toEqual([
      'o0>l0 o1>l1 o2>l2 o3>l3',
      'o0>l0 o1>short',
    ]);
    const [broken] = findIncidents(requests.slice(1), { known }).incidents;
    expect(broken).toBeUndefined();
  });

  it('through permits stands no more once one of them has another holder', () => {
    const knot = (third: string) => [
      any('A', 'pool', 'B', third),
      all('B', 'x', 'A'),
      all('C', 'y', 'A'),
    ];
    const known = findIncidents(knot('C')).incidents;
    expect(known).toHaveLength(1);
    expect(findIncidents(knot('free'), { known }).incidents).toEqual([]);
  });

  it('of 10,000 owners in one ring is found without running out of stack', () => {
    const { incidents } = findIncidents(ring(10_000));
    expect(incidents).toHaveLength(1);
    expect(incidents[0]?.edges).toHaveLength(10_000);
  });

  it('stays bounded in a tangle where everybody waits for everybody, and says so', () => {
    const names = Array.from({ length: 40 }, (_, i) => `o${i}`);
    const tangle = names.flatMap((owner) =>
      names.filter((holder) => holder !== owner).map((holder) => all(owner, `l-${holder}`, holder)),
    );
    const every = findIncidents(tangle, { limit: 10_000 });
    expect(every.complete).toBe(true);
    expect(every.incidents).toHaveLength((40 * 39) / 2);
    const first = findIncidents(tangle, { limit: 50 });
    expect(first.complete).toBe(false);
    expect(first.incidents).toHaveLength(50);
  });
});
