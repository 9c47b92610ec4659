import { describe, expect, it } from 'vitest';
import { applyPatch } from '@/lib/live/patch';
import { WireCopy } from '@/server/socket/wire-copy';

const lock = (key: string, renewals = 0) => ({ keyB64: key, db: 0, hold: { renewals } });
const page = (items: unknown[]) => ({ items, total: items.length, cursor: undefined });

/** The answers as the browsers get them: the first whole, the others by patches. */
function follow(...answers: unknown[]): unknown[] {
  const copy = new WireCopy();
  let held: unknown;
  return answers.map((answer) => {
    const patch = copy.take(answer);
    if (patch) held = applyPatch(held, JSON.parse(JSON.stringify(patch)));
    expect(copy.data).toEqual(held);
    return held;
  });
}

describe('an answer as the browsers hold it', () => {
  it.each([
    ['an item that changes', page([lock('a'), lock('b')]), page([lock('a'), lock('b', 1)])],
    ['items that move', page(['a', 'b', 'c'].map((key) => lock(key))), page([lock('c')])],
    ['an item in front', page([lock('b'), lock('c')]), page(['a', 'b', 'c'].map((k) => lock(k)))],
    ['a list that is emptied', page([lock('a')]), page([])],
    ['equal items', page([lock('a'), lock('a')]), page([lock('b'), lock('a'), lock('a')])],
    ['a list alone', [lock('a')], [lock('a', 1), lock('b')]],
    ['lists of lists', { values: [[1, null], [2]] }, { values: [[null, 3], [2]] }],
    ['what JSON does not have', { at: NaN, items: [undefined, 1] }, { at: 1, items: [undefined] }],
    ['texts', { cells: ['a', 'b', 'c'] }, { cells: ['b', 'c', 'c', 'd'] }],
    ['texts that become something else', { cells: ['1', '2'] }, { cells: [1, '2'] }],
    ['something else that becomes texts', { cells: [1, null] }, { cells: ['1', 'null'] }],
    ['another shape', page([lock('a')]), null],
  ])('follows %s', (_what, before, after) => {
    expect(follow(before, after)).toEqual([before, after].map((one) => viaJson(one)));
  });

  it('is no change when nothing reads differently', () => {
    const copy = new WireCopy();
    copy.take(page([lock('a'), lock('b')]));
    expect(copy.take(page([lock('a'), lock('b')]))).toBeNull();
  });

  it('keeps the objects of items that read as before, wherever they are now', () => {
    const copy = new WireCopy();
    copy.take([lock('a'), lock('b'), lock('c')]);
    const [, b, c] = copy.data as unknown[];
    copy.take([lock('b'), lock('c'), lock('d')]);
    expect((copy.data as unknown[])[0]).toBe(b);
    expect((copy.data as unknown[])[1]).toBe(c);
  });

  it('sends the columns of a map that moved, and no others', () => {
    const columns = ['AAA', 'AAB', 'AAC', 'AAD'].map((text) => text.repeat(1000));
    const copy = new WireCopy();
    copy.take({ cells: columns });
    const moved = [...columns.slice(1, 3), 'AAE', 'AAF'];
    expect(copy.take({ cells: moved })).toEqual({
      members: [['cells', { list: [{ copy: [1, 2] }, { add: ['AAE', 'AAF'] }] }]],
    });
  });

  it('is not touched by what happens to the answer later', () => {
    const copy = new WireCopy();
    const items = [lock('a')];
    copy.take(page(items));
    items[0]!.hold.renewals = 7;
    expect(copy.take(page(items))).not.toBeNull();
  });
});

const viaJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
