import { describe, expect, it } from 'vitest';
import { blameCsv } from '@/components/blame/blame-csv';
import { blameLines } from '@/components/blame/blame-lines';
import {
  blameTree,
  isWithin,
  nodeId,
  nodesAlong,
  type BlameNode,
} from '@/components/blame/blame-tree';
import { blameQuery, readBlameView, zoomText } from '@/components/blame/blame-view';
import { sampleBlame } from '@/components/gallery/blame';
import type { BlameLeaf } from '@/lib/protocol/measures';

const NOW = Date.UTC(2026, 0, 15, 12);
const NONE = { count: 0, waitMs: 0 };
const leaf = (more: Partial<BlameLeaf> & { waitMs: number }): BlameLeaf => ({
  namespace: 'stock',
  class: 'sku:*',
  lock: { db: 0, key: 'sku:1', keyB64: 'c2t1OjE' },
  cause: 'holder',
  owner: 'a',
  ...more,
});
const other = { lock: { db: 0, key: 'sku:2', keyB64: 'c2t1OjI' } };

function all(node: BlameNode): BlameNode[] {
  return [node, ...node.children.flatMap(all)];
}

describe('the tree of blame', () => {
  it('adds up namespace, class, lock and holder, the greatest first', () => {
    const tree = blameTree({
      leaves: [
        leaf({ waitMs: 1 }),
        leaf({ ...other, waitMs: 5 }),
        leaf({ namespace: '', waitMs: 9 }),
      ],
      leftOut: NONE,
    });
    expect(tree.waitMs).toBe(15);
    expect(tree.children.map(({ path, waitMs }) => [path, waitMs])).toEqual([
      [[''], 9],
      [['stock'], 6],
    ]);
    const [, stock] = tree.children;
    expect(stock?.children[0]?.children.map(({ waitMs }) => waitMs)).toEqual([5, 1]);
    expect(all(tree).map(({ level }) => level)).toContain('holder');
  });

  it('has an identity for each node, whatever names are made of', () => {
    const tree = blameTree({
      leaves: [
        leaf({ namespace: '', waitMs: 1 }),
        leaf({ namespace: 'a\nb', class: 'c', waitMs: 1 }),
        leaf({ namespace: 'a', class: 'b\nc', waitMs: 1 }),
      ],
      leftOut: NONE,
    });
    const ids = all(tree).map(nodeId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps what the answer left out as the last part of the whole', () => {
    const tree = blameTree({ leaves: [leaf({ waitMs: 10 })], leftOut: { count: 7, waitMs: 30 } });
    expect(tree.waitMs).toBe(40);
    expect(tree.children.at(-1)).toMatchObject({ leftOut: 7, leaf: null, waitMs: 30 });
  });

  it('has in its leaves all that is above them', () => {
    const data = sampleBlame(NOW, 300);
    const tree = blameTree(data);
    for (const node of all(tree)) {
      if (node.children.length === 0) continue;
      const below = node.children.reduce((sum, { waitMs }) => sum + waitMs, 0);
      expect(below).toBeCloseTo(node.waitMs, 3);
    }
    expect(tree.waitMs).toBeCloseTo(data.totalMs, 3);
  });

  it('is followed as far as it goes: what has gone meanwhile is passed over', () => {
    const tree = blameTree({ leaves: [leaf({ waitMs: 1 })], leftOut: NONE });
    const along = nodesAlong(tree, ['stock', 'gone:*', '0:x']);
    expect(along.map(({ level }) => level)).toEqual(['all', 'namespace']);
  });

  it('tells which leaves lie below a node', () => {
    const tree = blameTree({ leaves: [leaf({ waitMs: 1 })], leftOut: NONE });
    const lock = all(tree).find(({ level }) => level === 'lock');
    expect(isWithin(leaf({ waitMs: 1 }), lock?.path ?? [])).toBe(true);
    expect(isWithin(leaf({ ...other, waitMs: 1 }), lock?.path ?? [])).toBe(false);
    expect(isWithin(leaf({ ...other, waitMs: 1 }), [])).toBe(true);
  });
});

describe('the ranking', () => {
  const leaves = [
    leaf({ owner: 'b', waitMs: 30 }),
    leaf({ owner: 'a', waitMs: 20 }),
    leaf({ ...other, owner: 'a', waitMs: 25 }),
    leaf({ cause: 'nobody', owner: null, waitMs: 5 }),
  ];

  it('lists each holder of each lock', () => {
    expect(blameLines(leaves, 'lock').map(({ waitMs }) => waitMs)).toEqual([30, 25, 20, 5]);
  });

  it('adds a holder up over its locks', () => {
    const lines = blameLines(leaves, 'holder');
    expect(lines.map(({ owner, waitMs, locks }) => [owner, waitMs, locks])).toEqual([
      ['a', 45, 2],
      ['b', 30, 1],
      [null, 5, 1],
    ]);
    expect(lines[0]?.leaf).toBeNull();
    expect(lines[1]?.leaf?.lock?.key).toBe('sku:1');
  });

  it('takes no holder for nobody', () => {
    const lines = blameLines(
      [
        leaf({ cause: 'nobody', owner: null, waitMs: 1 }),
        leaf({ cause: 'unnamed', owner: null, waitMs: 2 }),
      ],
      'holder',
    );
    expect(lines.map(({ cause }) => cause)).toEqual(['unnamed', 'nobody']);
  });
});

describe('the address of the blame', () => {
  const view = (search: string) => readBlameView((name) => new URLSearchParams(search).get(name));

  it('asks for the last five minutes by default', () => {
    expect(blameQuery(view(''), NOW)).toEqual({ by: 'process', limit: 1000 });
  });

  it('holds a zoom into names of any characters', () => {
    const path = ['', 'a:"*"', '0:x/y'];
    const search = new URLSearchParams({ zoom: zoomText(path) ?? '' }).toString();
    expect(view(search).zoom).toEqual(path);
  });

  it.each(['zoom=%5B', 'zoom=3', 'zoom=%5B1%5D', ''])('shows everything for %s', (search) => {
    expect(view(search).zoom).toEqual([]);
  });
});

it('a spreadsheet gets each leaf and what was left out', () => {
  const lines = blameCsv(sampleBlame(NOW, 200)).trimEnd().split('\r\n');
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toContain('left-out,,,,,9000');
});
