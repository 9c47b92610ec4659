import { describe, expect, it } from 'vitest';
import { firstDeadline, suggestedVictim } from '@/components/graph/cycle-end';
import {
  LOCK_HEIGHT,
  LOCK_WIDTH,
  OWNER_RADIUS,
  layOutCycle,
} from '@/components/graph/cycle-layout';
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

describe('the drawing of a cycle', () => {
  it('has an owner, a lock, a wait and a holder per member, waits numbered in order', () => {
    const drawing = layOutCycle(cycle(3));
    expect(drawing.nodes.filter((node) => node.kind === 'owner')).toHaveLength(3);
    expect(drawing.nodes.filter((node) => node.kind === 'lock')).toHaveLength(3);
    expect(
      drawing.edges.filter((edge) => edge.kind === 'waits').map((edge) => edge.number),
    ).toEqual([1, 2, 3]);
  });

  it('names the owners at the far left and right outside of what connects them', () => {
    const owners = layOutCycle(cycle(2)).nodes.filter((node) => node.kind === 'owner');
    expect(owners.map(({ anchor }) => anchor)).toEqual(['end', 'start']);
    const four = layOutCycle(cycle(4)).nodes.filter((node) => node.kind === 'owner');
    expect(four.map(({ anchor }) => anchor)).toEqual(['end', 'middle', 'start', 'middle']);
  });

  it('keeps every node inside the picture and apart from all others, for two to eight members', () => {
    for (let of = 2; of <= 8; of++) {
      const { nodes, width, height } = layOutCycle(cycle(of));
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
    const { edges, nodes } = layOutCycle(cycle(2));
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
    expect(firstDeadline(ends)).toBe(999);
  });

  it('never comes while every lease is renewed or endless', () => {
    expect(firstDeadline(cycle(2, (index) => ({ renewed: index === 0 })))).toBeNull();
  });

  it('suggests the lock of the holder whose own wait began last', () => {
    // owner-2 began last and holds what owner-1 waits for.
    expect(suggestedVictim(cycle(3, (index) => ({ waitingSince: index * 100 })))).toBe(1);
  });
});
