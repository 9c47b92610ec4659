import { describe, expect, it } from 'vitest';
import { labelAt, labelBoxes, labelLook } from '@/components/heatmap/heat-labels';
import { layOut } from '@/components/heatmap/heat-layout';
import { HeatTexts } from '@/components/heatmap/heat-text';
import { commonSubject, labelTree, rowName, subjectOf } from '@/components/heatmap/heat-tree';
import type { HeatRow } from '@/lib/protocol/measures';

const lock = (...path: string[]): HeatRow => ({
  label: path.at(-1) ?? '',
  path,
  kind: path.at(-1) === 'others' ? 'others' : 'lock',
});
const ROWS = [
  lock('orders', 'order:*', 'order:1'),
  lock('orders', 'order:*', 'order:2'),
  lock('orders', 'order:*', 'others'),
  lock('orders', 'refund:*', 'refund:1'),
  lock('orders', 'others'),
  lock('stock', 'order:*', 'order:9'),
];
const ALL = { namespace: null, class: null };

describe('the labels of the rows', () => {
  const tree = labelTree(ROWS);

  it('merge neighbours of one namespace and of one class, and never across a namespace', () => {
    const [namespaces, classes, own] = tree.map((blocks) =>
      blocks.map(({ path, from, to, row }) => [path.at(-1), from, to, row !== null]),
    );
    expect(namespaces).toEqual([
      ['orders', 0, 5, false],
      ['stock', 5, 6, false],
    ]);
    expect(classes).toEqual([
      ['order:*', 0, 3, false],
      ['refund:*', 3, 4, false],
      ['others', 4, 5, true],
      ['order:*', 5, 6, false],
    ]);
    expect(own).toHaveLength(5);
  });

  it('have their boxes beside their rows, and leave no room for names that would not fit', () => {
    const frame = layOut({ width: 1200, maxHeight: 900, rows: ROWS.length, depth: 3 });
    const whole = { from: 0, to: 1, rowFrom: 0, rowTo: ROWS.length };
    const boxes = labelBoxes(tree, frame, whole);
    const stock = boxes.find(({ block }) => block.path[0] === 'stock' && block.level === 0);
    expect(stock).toMatchObject({ top: frame.plot.top + 5 * 28, height: 28, left: 0 });
    const rest = boxes.find(({ block }) => block.level === 1 && block.row);
    expect((rest?.left ?? 0) + (rest?.width ?? 0)).toBe(frame.plot.left);
    const dense = labelBoxes(tree, frame, { ...whole, rowTo: 5000 });
    expect(dense.some(({ block }) => block.level === 2)).toBe(false);
    const classBox = dense.find(({ block }) => block.level === 1);
    expect((classBox?.left ?? 0) + (classBox?.width ?? 0)).toBe(frame.plot.left);
  });

  it('are found under a point, and only those in sight', () => {
    const frame = layOut({ width: 1200, maxHeight: 900, rows: ROWS.length, depth: 3 });
    const boxes = labelBoxes(tree, frame, { from: 0, to: 1, rowFrom: 3, rowTo: 6 });
    const point = { x: 10, y: frame.plot.top + 1 };
    expect(labelAt(boxes, point)?.path).toEqual(['orders']);
    expect(boxes.some(({ block }) => block.path.includes('order:1'))).toBe(false);
    expect(labelAt(boxes, { x: 10, y: 0 })).toBeNull();
  });

  it('stand upright where a block is high and narrow, flat where they fit, and nowhere else', () => {
    expect(labelLook({ width: 100, height: 200 }, 60)).toEqual({ turn: 'flat', room: 90 });
    expect(labelLook({ width: 20, height: 200 }, 60)).toEqual({ turn: 'upright', room: 190 });
    expect(labelLook({ width: 100, height: 30 }, 300)).toEqual({ turn: 'flat', room: 90 });
    expect(labelLook({ width: 100, height: 6 }, 60)).toBeNull();
    expect(labelLook({ width: 20, height: 20 }, 60)).toBeNull();
  });
});

describe('pressing a label', () => {
  const tree = labelTree(ROWS);
  const block = (level: number, at: number) => {
    const found = tree[level]?.[at];
    if (!found) throw new Error('no such label');
    return found;
  };

  it('leads into the namespace or class, and no further than one is', () => {
    const order = { namespace: 'orders', class: 'order:*' };
    expect(subjectOf(block(0, 0), ALL)).toEqual({ namespace: 'orders', class: null });
    expect(subjectOf(block(0, 0), { namespace: 'orders', class: null })).toBeNull();
    expect(subjectOf(block(1, 0), ALL)).toEqual(order);
    expect(subjectOf(block(1, 0), order)).toBeNull();
  });

  it('leads from what is added up to what it is the rest of, and from a lock nowhere', () => {
    expect(subjectOf(block(1, 2), ALL)).toEqual({ namespace: 'orders', class: null });
    expect(subjectOf(block(2, 2), ALL)).toEqual({ namespace: 'orders', class: 'order:*' });
    expect(subjectOf(block(2, 0), ALL)).toBeNull();
  });
});

describe('a choice of rows', () => {
  it('narrows to what all of them are of', () => {
    expect(commonSubject(ROWS, { from: 0.2, to: 2.5 }, ALL)).toEqual({
      namespace: 'orders',
      class: 'order:*',
    });
    expect(commonSubject(ROWS, { from: 0, to: 5 }, ALL)).toEqual({
      namespace: 'orders',
      class: null,
    });
    expect(commonSubject(ROWS, { from: 0, to: 6 }, ALL)).toBeNull();
    expect(
      commonSubject(ROWS, { from: 0, to: 5 }, { namespace: 'orders', class: null }),
    ).toBeNull();
  });
});

describe('the name of a row', () => {
  it('tells two databases and two kinds apart', () => {
    const [row] = ROWS;
    if (!row) throw new Error('no rows');
    const of = (db: number) => rowName({ ...row, lock: { db, key: 'order:1', keyB64: 'b3I' } });
    expect(of(0)).toBe(of(0));
    expect(of(0)).not.toBe(of(1));
    expect(rowName(row)).not.toBe(rowName({ ...row, kind: 'owner' }));
  });
});

describe('a text on the canvas', () => {
  it('is cut in its middle to fit, and measured once', () => {
    let measured = 0;
    const context = {
      font: '12px mono',
      measureText: (text: string) => {
        measured++;
        return { width: text.length * 10 } as TextMetrics;
      },
    };
    const texts = new HeatTexts();
    const cut = texts.fit(context, 'order_sync:refund:*', 80);
    expect(cut).toBe('orde…d:*');
    expect(texts.fit(context, 'short', 80)).toBe('short');
    const before = measured;
    expect(texts.fit(context, 'order_sync:refund:*', 80.4)).toBe(cut);
    expect(measured).toBe(before);
  });
});
