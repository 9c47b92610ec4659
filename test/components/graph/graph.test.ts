import { describe, expect, it } from 'vitest';
import { firstDeadline, victimOf } from '@/components/graph/deadlock-end';
import {
  LOCK_HEIGHT,
  LOCK_WIDTH,
  OWNER_RADIUS,
  layOutGraph,
} from '@/components/graph/graph-layout';
import { stepOf } from '@/components/graph/node-step';
import { numberedWaits } from '@/components/graph/wait-order';
import type { Deadlock } from '@/lib/protocol/deadlock';

type Wait = Deadlock['cycle'][number];

const wait = (index: number, of: number, part: Partial<Wait> = {}): Wait => ({
  owner: `owner-${index}`,
  waitsFor: { db: 0, key: `lock-${index}`, keyB64: `k${index}` },
  heldBy: `owner-${(index + 1) % of}`,
  waitingSince: null,
  deadline: null,
  renewed: false,
  ...part,
});
const cycle = (of: number, part: (index: number) => Partial<Wait> = () => ({})): Wait[] =>
  Array.from({ length: of }, (_, index) => wait(index, of, part(index)));

const drawn = (waits: Wait[]) => layOutGraph({ cycle: waits, evidence: 'observed' });

describe('the drawing of a cycle', () => {
  it('has an owner, a lock, a wait and a holder per member, waits numbered in order', () => {
    const drawing = drawn(cycle(3));
    expect(drawing.nodes.filter((node) => node.kind === 'owner')).toHaveLength(3);
    expect(drawing.nodes.filter((node) => node.kind === 'lock')).toHaveLength(3);
    expect(
      drawing.edges.filter((edge) => edge.kind === 'waits').map((edge) => edge.number),
    ).toEqual([1, 2, 3]);
  });

  it('names the owners at the far left and right outside of what connects them', () => {
    const owners = drawn(cycle(2)).nodes.filter((node) => node.kind === 'owner');
    expect(owners.map(({ anchor }) => anchor)).toEqual(['end', 'start']);
    const four = drawn(cycle(4)).nodes.filter((node) => node.kind === 'owner');
    expect(four.map(({ anchor }) => anchor)).toEqual(['end', 'middle', 'start', 'middle']);
  });

  it('keeps every node inside the picture and apart from all others, for two to eight members', () => {
    for (let of = 2; of <= 8; of++) {
      const { nodes, width, height } = drawn(cycle(of));
      nodes.forEach((node, index) => {
        const halfWidth = node.kind === 'lock' ? LOCK_WIDTH / 2 : OWNER_RADIUS;
        const halfHeight = node.kind === 'lock' ? LOCK_HEIGHT / 2 : OWNER_RADIUS;
        expect(node.x - halfWidth).toBeGreaterThanOrEqual(0);
        expect(node.x + halfWidth).toBeLessThanOrEqual(width);
        expect(node.y - halfHeight).toBeGreaterThanOrEqual(0);
        expect(node.y + halfHeight).toBeLessThanOrEqual(height);
        for (const other of nodes.slice(index + 1)) {
          const otherWidth = other.kind === 'lock' ? LOCK_WIDTH / 2 : OWNER_RADIUS;
          const otherHeight = other.kind === 'lock' ? LOCK_HEIGHT / 2 : OWNER_RADIUS;
          const apart =
            Math.abs(node.x - other.x) > halfWidth + otherWidth ||
            Math.abs(node.y - other.y) > halfHeight + otherHeight;
          expect(apart, `${node.label} and ${other.label} of ${of}`).toBe(true);
        }
      });
    }
  });

  it('leads the last lock back to the first owner', () => {
    const { edges, nodes } = drawn(cycle(2));
    const last = edges.at(-1);
    const first = nodes[0];
    expect(
      Math.hypot((last?.to.x ?? 0) - (first?.x ?? 0), (last?.to.y ?? 0) - (first?.y ?? 0)),
    ).toBeLessThan(OWNER_RADIUS + 8);
  });
});

describe('the end of a cycle', () => {
  it('comes with the first lease that nobody renews', () => {
    const ends = cycle(3, (index) => ({ deadline: 1000 - index, renewed: index === 2 }));
    expect(firstDeadline({ cycle: ends })).toBe(999);
  });

  it('never comes while every lease is renewed or endless', () => {
    expect(firstDeadline({ cycle: cycle(2, (index) => ({ renewed: index === 0 })) })).toBeNull();
  });

  it('suggests the lock of the holder whose own wait began last', () => {
    // owner-2 began last and holds what owner-1 waits for.
    const waits = cycle(3, (index) => ({ waitingSince: index * 100 }));
    expect(victimOf({ cycle: waits })?.lock.key).toBe('lock-1');
  });
});

describe('a lock of several holders', () => {
  // owner-0 needs any one of two permits, whose holders both wait for what owner-0 holds.
  const knot: Wait[] = [
    wait(0, 3, { needs: 'or', heldBy: 'owner-1' }),
    wait(1, 3, { heldBy: 'owner-0' }),
    wait(0, 3, { needs: 'or', heldBy: 'owner-2' }),
    wait(2, 3, { heldBy: 'owner-0' }),
  ];

  it('is drawn once, with an edge to each holder, of whom any would do', () => {
    const { nodes, edges } = drawn(knot);
    expect(nodes.map(({ id }) => id)).toHaveLength(new Set(nodes.map(({ id }) => id)).size);
    const held = edges.filter(({ kind, isAnyOf }) => kind === 'held' && isAnyOf);
    expect(held.map(({ of }) => of.heldBy)).toEqual(['owner-1', 'owner-2']);
    expect(edges.filter(({ kind }) => kind === 'waits')).toHaveLength(3);
  });

  it('is one line in words', () => {
    const [first] = numberedWaits(knot);
    expect(first?.edges.map(({ heldBy }) => heldBy)).toEqual(['owner-1', 'owner-2']);
  });
});

describe('the numbers of waits', () => {
  it('follow the time at which they began; whose begin nobody saw come last', () => {
    const since = [300, null, 100];
    const waits = cycle(3, (index) => ({ waitingSince: since[index] ?? null }));
    expect(numberedWaits(waits).map(({ edges: [edge] }) => edge.owner)).toEqual([
      'owner-2',
      'owner-0',
      'owner-1',
    ]);
  });
});

describe('the keys of the drawing', () => {
  const press = (key: string, ctrlKey = false) =>
    stepOf({ key, ctrlKey, metaKey: false, altKey: false }, { at: 0, of: 4 });

  it('go round in both directions, and to both ends', () => {
    expect(
      ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'Home', 'End'].map((k) => press(k)),
    ).toEqual([1, 1, 3, 3, 0, 3]);
  });

  it('leave every other key to the page', () => {
    expect([press('Enter'), press('a'), press('ArrowRight', true)]).toEqual([null, null, null]);
  });
});
