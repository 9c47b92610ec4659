import { describe, expect, it } from 'vitest';
import { blameTree } from '@/components/blame/blame-tree';
import { boxTowards, icicleBoxes, type IcicleBox } from '@/components/blame/icicle-layout';
import { sampleBlame } from '@/components/gallery/blame';
import type { BlameLeaf } from '@/lib/protocol/measures';

const leaf = (lock: string, owner: string, waitMs: number): BlameLeaf => ({
  namespace: 'n',
  class: 'c',
  lock: { db: 0, key: lock, keyB64: lock },
  cause: 'holder',
  owner,
  waitMs,
});
const treeOf = (leaves: BlameLeaf[]) => blameTree({ leaves, leftOut: { count: 0, waitMs: 0 } });
const at = (boxes: readonly IcicleBox[], depth: number) =>
  boxes.filter((box) => box.depth === depth).map(({ left, width }) => [left, width]);

describe('the icicle', () => {
  const tree = treeOf([leaf('x', 'a', 60), leaf('x', 'b', 20), leaf('y', 'a', 20)]);

  it('gives each box its share of the one above, the greatest on the left', () => {
    const boxes = icicleBoxes(tree, 0);
    expect(at(boxes, 0)).toEqual([[0, 1]]);
    expect(at(boxes, 3)).toEqual([
      [0, 0.8],
      [0.8, 0.2],
    ]);
    expect(at(boxes, 4).map(([left = 0]) => left)).toEqual([0, 0.6000000000000001, 0.8]);
  });

  it('merges what is too narrow to be hit into one box that keeps its width', () => {
    const many = treeOf([
      leaf('x', 'a', 90),
      ...Array.from({ length: 10 }, (_, index) => leaf('x', `small-${index}`, 1)),
    ]);
    const row = icicleBoxes(many, 0.02).filter(({ depth }) => depth === 4);
    expect(row).toHaveLength(2);
    expect(row[1]).toMatchObject({ node: null, merged: 10, waitMs: 10 });
    expect(row[1]?.width).toBeCloseTo(0.1);
  });

  it('does not hide a single narrow box behind "1 more"', () => {
    const one = treeOf([leaf('x', 'a', 99), leaf('x', 'b', 1)]);
    const row = icicleBoxes(one, 0.02).filter(({ depth }) => depth === 4);
    expect(row.every(({ node }) => node !== null)).toBe(true);
  });

  it('never lets a box reach beyond the one above, nor two of a row overlap', () => {
    const boxes = icicleBoxes(blameTree(sampleBlame(0, 800)), 0.005);
    for (const box of boxes) {
      const above = box.parent === null ? null : boxes[box.parent];
      if (above) {
        expect(box.depth).toBe(above.depth + 1);
        expect(box.left).toBeGreaterThanOrEqual(above.left - 1e-9);
        expect(box.left + box.width).toBeLessThanOrEqual(above.left + above.width + 1e-9);
      }
    }
    for (const depth of [1, 2, 3, 4]) {
      const row = at(boxes, depth).toSorted(([a = 0], [b = 0]) => a - b);
      for (let index = 1; index < row.length; index++) {
        const [left = 0, width = 0] = row[index - 1] ?? [];
        expect(row[index]?.[0]).toBeGreaterThanOrEqual(left + width - 1e-9);
      }
    }
    expect(new Set(boxes.map(({ id }) => id)).size).toBe(boxes.length);
  });

  it('draws a part as if it were the whole', () => {
    const [namespace] = tree.children;
    const lock = namespace?.children[0]?.children[0];
    if (!lock) throw new Error('no lock in the tree');
    expect(at(icicleBoxes(lock, 0), 1)).toEqual([
      [0, 0.75],
      [0.75, 0.25],
    ]);
  });

  it('is one box where nobody waited', () => {
    expect(icicleBoxes(treeOf([]), 0.01)).toHaveLength(1);
  });
});

describe('the arrow keys', () => {
  const boxes = icicleBoxes(
    treeOf([leaf('x', 'a', 60), leaf('x', 'b', 20), leaf('y', 'a', 20)]),
    0,
  );
  const nameAt = (index: number | null) =>
    index === null ? null : boxes[index]?.node?.path.at(-1);
  const find = (path: string) => boxes.findIndex(({ node }) => node?.path.join('/') === path);

  it('go up, down and along a row', () => {
    const lock = find('n/c/0:x');
    expect(nameAt(boxTowards(boxes, lock, 'ArrowUp'))).toBe('c');
    expect(nameAt(boxTowards(boxes, lock, 'ArrowDown'))).toBe('holder:a');
    expect(nameAt(boxTowards(boxes, lock, 'ArrowRight'))).toBe('0:y');
    expect(boxTowards(boxes, lock, 'ArrowLeft')).toBeNull();
  });

  it('cross from one box above to the next', () => {
    const last = find('n/c/0:x/holder:b');
    const next = boxTowards(boxes, last, 'ArrowRight');
    expect(next === null ? null : boxes[next]?.node?.path.join('/')).toBe('n/c/0:y/holder:a');
  });

  it('lead home, and nowhere from the edge or by another key', () => {
    expect(boxTowards(boxes, 3, 'Home')).toBe(0);
    expect(boxTowards(boxes, 0, 'ArrowUp')).toBeNull();
    expect(boxTowards(boxes, 0, 'x')).toBeNull();
    expect(boxTowards(boxes, 99, 'Home')).toBeNull();
  });
});
