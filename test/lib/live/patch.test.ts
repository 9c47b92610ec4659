import { describe, expect, it } from 'vitest';
import { applyPatch, makePatch, type Patch } from '@/lib/live/patch';

/** Deterministic numbers in [0, 1): mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NAMES = ['a', 'b', 'id', 'keyB64', 'db', '__proto__', 'constructor', 'class', 'set', 'list'];

function randomJson(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 8 : 5));
  const pick = (): string => NAMES[Math.floor(random() * NAMES.length)] ?? 'a';
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return Math.floor(random() * 4);
  if (kind === 3) return pick();
  if (kind === 4) return '';
  const length = Math.floor(random() * 5);
  if (kind === 5) return Array.from({ length }, () => randomJson(random, depth - 1));
  return Object.fromEntries(Array.from({ length }, () => [pick(), randomJson(random, depth - 1)]));
}

/** As it is after the trip over the wire. */
const wire = (patch: Patch | null): Patch | null => JSON.parse(JSON.stringify(patch));

const lockOf = (key: string, renewals: number) => ({
  keyB64: key,
  db: 0,
  hold: { renewals, owner: { id: 'A' } },
});

describe('patches', () => {
  it('turn any value into any other', () => {
    const random = createRandom(7);
    for (let round = 0; round < 20_000; round++) {
      const before = randomJson(random, 4);
      const after = randomJson(random, 4);
      const patch = wire(makePatch(before, after));
      const result = patch ? applyPatch(before, patch) : before;
      expect(JSON.stringify(sorted(result))).toBe(JSON.stringify(sorted(after)));
    }
  });

  it('leave both values as they were', () => {
    const random = createRandom(11);
    for (let round = 0; round < 2000; round++) {
      const before = randomJson(random, 4);
      const text = JSON.stringify(before);
      const patch = makePatch(before, randomJson(random, 4));
      if (patch) applyPatch(before, patch);
      expect(JSON.stringify(before)).toBe(text);
    }
  });

  it('are null between equal values', () => {
    const random = createRandom(3);
    for (let round = 0; round < 2000; round++) {
      const value = randomJson(random, 4);
      expect(makePatch(value, structuredClone(value))).toBeNull();
    }
  });

  it('keep the identity of everything they do not touch', () => {
    const before = { total: 3, items: [lockOf('a', 1), lockOf('b', 1), lockOf('c', 1)] };
    const after = { total: 3, items: [lockOf('c', 1), lockOf('b', 2), lockOf('d', 1)] };
    const patch = makePatch(before, after);
    const result = patch && (applyPatch(before, patch) as typeof before);
    expect(result).toEqual(after);
    expect(result?.items[0]).toBe(before.items[2]);
    expect(result?.items[1]?.hold.owner).toBe(before.items[1]?.hold.owner);
  });

  it('name one changed lock of a thousand and nothing else', () => {
    const before = { items: Array.from({ length: 1000 }, (_, i) => lockOf(`k${i}`, 0)) };
    const after = structuredClone(before);
    after.items.splice(0, 1);
    after.items[500] = lockOf('k501', 1);
    expect(JSON.stringify(makePatch(before, after)).length).toBeLessThan(200);
  });

  it('follow a chart that scrolls without sending it again', () => {
    const cells = Array.from({ length: 360 }, (_, i) => (i * 7919) % 101);
    const before = { columns: cells.map((_, i) => i * 10), values: [cells] };
    const after = { columns: [...before.columns.slice(1), 3600], values: [[...cells.slice(1), 5]] };
    const patch = makePatch(before, after);
    expect(JSON.stringify(patch).length).toBeLessThan(200);
    expect(patch && applyPatch(before, patch)).toEqual(after);
  });

  it('treat members that are undefined as absent', () => {
    expect(makePatch({ a: 1, b: undefined }, { a: 1 })).toBeNull();
    const patch = wire(makePatch({ a: 1, b: 2 }, { a: 1, b: undefined }));
    expect(patch && applyPatch({ a: 1, b: 2 }, patch)).toEqual({ a: 1 });
  });

  it('refuse a value of another shape', () => {
    const patch = makePatch({ items: [1, 2, 3] }, { items: [2, 3] });
    expect(patch && (() => applyPatch({ items: 'none' }, patch))).toThrow(/list/);
    expect(patch && (() => applyPatch({ items: [1] }, patch))).toThrow(/past the end/);
    expect(() => applyPatch([], { members: [] })).toThrow(/members/);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
