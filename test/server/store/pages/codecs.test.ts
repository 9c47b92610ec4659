import { describe, expect, it } from 'vitest';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import { END_REASONS } from '@/lib/protocol/closed-sets';
import type { Sums } from '@/server/store/history-contract';
import { BlameTable, decodeBlame, type BlameEntry } from '@/server/store/pages/blame-page';
import { decodeSketches, SketchTable } from '@/server/store/pages/sketch-page';
import { decodeSums, isNullable, SumsTable } from '@/server/store/pages/sums-page';
import { addSums, emptySums } from '@/server/store/sums';

function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Numbers on both sides of every width that a column may have. */
const EDGES = [
  0,
  1,
  254,
  255,
  256,
  65_534,
  65_535,
  65_536,
  2 ** 32 - 2,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 50,
];
const ODD = [0.5, -1, -0.25, 1e-9, 12_345.678];

function randomSums(random: (below: number) => number): Sums {
  const number = (): number => {
    const list = random(4) === 0 ? ODD : EDGES;
    return list[random(list.length)] ?? 0;
  };
  const nullable = (): number | null => (random(3) === 0 ? null : number());
  const ends: Sums['ends'] = {};
  for (const reason of END_REASONS) if (random(3) === 0) ends[reason] = random(300) + 1;
  return {
    acquisitions: number(),
    heldMs: number(),
    waiterMs: nullable(),
    waits: nullable(),
    waitMs: nullable(),
    timeouts: nullable(),
    attempts: nullable(),
    handoffs: number(),
    handoffMs: number(),
    ends,
  };
}

function sumsIn(bytes: Uint8Array): Map<number, Sums> {
  const table = new SumsTable();
  table.addPage(decodeSums(bytes));
  return new Map([...table.ids].map((id, slot) => [id, table.sumsAt(slot)]));
}

describe('a page of sums', () => {
  it('gives back whatever was put in, and adds up as numbers do', () => {
    const random = randomly(3);
    for (let round = 0; round < 60; round++) {
      const truth = new Map<number, Sums>();
      const pages = Array.from({ length: 1 + random(3) }, () => {
        const table = new SumsTable();
        for (let i = random(40); i >= 0; i--) {
          const id = EDGES[1 + random(EDGES.length - 3)] ?? 1;
          const sums = randomSums(random);
          table.addSums(id, 7, sums);
          const known = truth.get(id) ?? emptySums();
          truth.set(id, known);
        }
        for (const [slot, id] of table.ids.entries()) {
          addSums(truth.get(id) ?? emptySums(), table.sumsAt(slot));
        }
        return table.encode();
      });
      for (const page of pages.slice(0, 1)) {
        expect([...decodeSums(page).ids]).toEqual(
          [...decodeSums(page).ids].toSorted((a, b) => a - b),
        );
      }
      const merged = new SumsTable();
      for (const page of pages) merged.addPage(decodeSums(page));
      expect(sumsIn(merged.encode())).toEqual(truth);
    }
  });

  it('gives back single rows exactly, one at a time', () => {
    const random = randomly(17);
    for (let round = 0; round < 300; round++) {
      const sums = randomSums(random);
      const table = new SumsTable();
      table.addSums(round + 1, 0, sums);
      expect(sumsIn(table.encode()).get(round + 1)).toEqual(sums);
    }
  });

  it('tells a column without the others, from memory that begins anywhere', () => {
    const table = new SumsTable();
    table.addSums(5, 2, { ...emptySums(), heldMs: 1.5, ends: { evicted: 3, vanished: 1 } });
    table.addSums(2, 2, { ...emptySums(), heldMs: 9, waiterMs: 0, ends: { released: 8 } });
    const bytes = table.encode();
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    const page = decodeSums(moved.subarray(3));
    expect([...page.ids]).toEqual([2, 5]);
    expect([...(page.classIds ?? [])]).toEqual([2, 2]);
    expect(page.heat('heldMs').map(({ values }) => [...values])).toEqual([[9, 1.5]]);
    expect(page.heat('acquisitions')).toEqual([]);
    expect(page.heat('lost').map(({ values }) => [...values])).toEqual([
      [0, 3],
      [0, 1],
    ]);
    const [waiters] = page.heat('waiterMs');
    expect([...(waiters?.values ?? [])]).toEqual([0, waiters?.none]);
    expect([isNullable('waiterMs'), isNullable('heldMs'), isNullable('lost')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('takes a byte for a small number, and nothing for what is always empty', () => {
    const table = new SumsTable();
    for (let id = 1; id <= 10_000; id++)
      table.addSums(id, 0, { ...emptySums(), acquisitions: 200 });
    expect(table.encode().length).toBeLessThan(10_000 * 5 + 100);
  });
});

describe('a page of distributions', () => {
  const sketchOf = (...values: number[]): Uint8Array => {
    const sketch = createSketch();
    for (const value of values) sketch.add(value);
    return sketch.serialise();
  };

  it('gives back each kind of each series, merged', () => {
    const table = new SketchTable();
    table.add(0, 9, sketchOf(1, 2));
    table.add(3, 9, sketchOf(5));
    table.add(0, 2, sketchOf(7));
    table.add(0, 9, sketchOf(3));
    for (const _ of table.settle()) continue;
    const page = decodeSketches(table.encode() ?? new Uint8Array(0));
    expect([...page.kinds]).toEqual([0, 3]);
    const read = (kind: number) =>
      [...page.ofKind(kind)].map(({ id, bytes }) => [id, readSketch(bytes).count]);
    expect(read(0)).toEqual([
      [2, 1],
      [9, 3],
    ]);
    expect(read(3)).toEqual([[9, 1]]);
    expect(read(1)).toEqual([]);
    for (const _ of table.retain((id) => id === 2)) continue;
    const some = decodeSketches(table.encode() ?? new Uint8Array(0));
    expect([...some.ofKind(0)].map(({ id }) => id)).toEqual([2]);
    for (const _ of table.retain(() => false)) continue;
    expect(table.encode()).toBeNull();
  });
});

describe('a page of blame', () => {
  it('gives back owners of any text, and adds equal causes', () => {
    const entry = (over: Partial<BlameEntry>): BlameEntry => ({
      classId: 1,
      lockId: 0,
      cause: 'holder',
      owner: 'a',
      waiterMs: 1,
      ...over,
    });
    const entries = [
      entry({}),
      entry({ owner: 'Zoë 🔒\0', lockId: 70_000, waiterMs: 0.5 }),
      entry({ owner: '' }),
      entry({ cause: 'nobody', owner: null, waiterMs: 2 ** 40 }),
      entry({ cause: 'others', owner: null, classId: 3 }),
    ];
    const table = new BlameTable();
    for (const one of entries) table.add(one);
    table.add(entry({ waiterMs: 9 }));
    const told = [...decodeBlame(table.encode()).entries()];
    const plain = (list: readonly BlameEntry[]) =>
      list.map((one) => JSON.stringify(one)).toSorted();
    expect(plain(told)).toEqual(plain([entry({ waiterMs: 10 }), ...entries.slice(1)]));
  });
});

describe('bytes that nobody wrote', () => {
  const pages = () => {
    const sums = new SumsTable();
    for (let id = 1; id < 9; id++) sums.addSums(id, 3, randomSums(randomly(id)));
    const sketches = new SketchTable();
    const sketch = createSketch();
    sketch.add(4);
    for (let id = 1; id < 9; id++) sketches.add(id % 3, id, sketch.serialise());
    const blame = new BlameTable();
    for (const owner of ['a', 'bb', 'ccc']) {
      blame.add({ classId: 1, lockId: 2, cause: 'holder', owner, waiterMs: 300 });
    }
    return [sums.encode(), sketches.encode() ?? new Uint8Array(0), blame.encode()] as const;
  };
  const readAll = [
    (bytes: Uint8Array) => void sumsIn(bytes),
    (bytes: Uint8Array) => {
      const page = decodeSketches(bytes);
      for (const kind of page.kinds) for (const one of page.ofKind(kind)) readSketch(one.bytes);
    },
    (bytes: Uint8Array) => void [...decodeBlame(bytes).entries()],
  ] as const;

  /** Undefined = it was read. */
  function refusal(read: (bytes: Uint8Array) => void, bytes: Uint8Array): unknown {
    try {
      read(bytes);
      return undefined;
    } catch (error) {
      return error;
    }
  }
  const internal = expect.objectContaining({ code: 'INTERNAL' });

  it('are refused where they are cut short, of another kind or version, or no page', () => {
    for (const [i, read] of readAll.entries()) {
      const bytes = pages()[i] ?? new Uint8Array(0);
      for (let length = 0; length < bytes.length; length += 3) {
        expect(refusal(read, bytes.slice(0, length))).toEqual(internal);
      }
      const other = Uint8Array.from(bytes);
      other[0] = 99;
      expect(refusal(read, other)).toEqual(internal);
      expect(refusal(read, pages()[(i + 1) % 3] ?? new Uint8Array(0))).toEqual(internal);
      expect(refusal(read, new Uint8Array(400).fill(255))).toEqual(internal);
    }
  });

  it('never lead to anything but a figure or a refusal, whatever bit is wrong', () => {
    for (const [i, read] of readAll.entries()) {
      const bytes = pages()[i] ?? new Uint8Array(0);
      for (let at = 0; at < bytes.length; at++) {
        const wrong = Uint8Array.from(bytes);
        wrong[at] = (wrong[at] ?? 0) ^ (1 << (at % 8));
        const error = refusal(read, wrong);
        if (error !== undefined) expect(error).toEqual(internal);
      }
    }
  });
});
