import { describe, expect, it } from 'vitest';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, joinBytes, mergeBytes, readSketch } from '@/lib/analysis/sketch';
import { isCodedError } from '@/lib/protocol/errors';

/** mulberry32: the same numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const draws: Record<string, (random: () => number) => number> = {
  uniform: (random) => random() * 60_000,
  exponential: (random) => -Math.log(1 - random()) * 250,
  pareto: (random) => 5 / (1 - random()) ** (1 / 1.1),
  lognormal: (random) =>
    Math.exp(4 + 2 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  'two clusters': (random) => (random() < 0.93 ? 2 + random() : 30_000 + random() * 10),
  'whole milliseconds with zeros': (random) => Math.floor(random() * 4),
};

function sampleOf(draw: (random: () => number) => number, size: number, seed = 7): number[] {
  const random = seeded(seed);
  return Array.from({ length: size }, () => draw(random));
}

const sketchOf = (values: number[]) => {
  const sketch = createSketch();
  for (const value of values) sketch.add(value);
  return sketch;
};

function readOrError(bytes: Uint8Array): { sketch: Sketch } | { error: unknown } {
  try {
    return { sketch: readSketch(bytes) };
  } catch (error) {
    return { error };
  }
}

describe('a sketch', () => {
  it.each(Object.entries(draws))('stays within 0.5 % of the exact quantiles: %s', (_name, draw) => {
    const values = sampleOf(draw, 20_000);
    const sketch = sketchOf(values);
    const sorted = values.toSorted((a, b) => a - b);
    for (const q of [0, 0.5, 0.9, 0.95, 0.99, 0.999, 1]) {
      const rank = Math.max(1, Math.ceil(q * sorted.length));
      const exact = sorted[rank - 1] ?? Number.NaN;
      const found = sketch.quantile(q) ?? Number.NaN;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.005 + 0.01);
    }
  });

  it('gives the greatest of a few samples as their p99', () => {
    const sketch = sketchOf([1696, 1939, 3465]);
    expect(sketch.quantile(0.99)).toBeCloseTo(3465, -2);
    expect(sketch.quantile(0.5)).toBeCloseTo(1939, -2);
    expect(sketchOf([7]).quantile(0.01)).toBeCloseTo(7, 0);
  });

  it('says nothing when empty', () => {
    const sketch = createSketch();
    expect(sketch.count).toBe(0);
    expect(sketch.quantile(0.5)).toBeNull();
    expect(sketch.buckets()).toEqual([]);
    expect(readSketch(sketch.serialise()).quantile(0.5)).toBeNull();
  });

  it('keeps zero apart, takes negative for zero and refuses NaN', () => {
    const sketch = sketchOf([0, 0, -3, 8]);
    expect(sketch.quantile(0.5)).toBe(0);
    expect(sketch.quantile(1)).toBeCloseTo(8, 0);
    expect(() => sketch.add(Number.NaN)).toThrow(RangeError);
    expect(sketch.count).toBe(4);
  });

  it('counts what is longer than ten days as ten days', () => {
    const tenDays = 10 * 24 * 60 * 60 * 1000;
    const sketch = sketchOf([1e15, Number.POSITIVE_INFINITY]);
    expect(Math.abs((sketch.quantile(0.5) ?? 0) - tenDays)).toBeLessThan(tenDays * 0.005);
  });

  it('merges to exactly the sketch of all values together', () => {
    const small = sampleOf(draws['exponential'] ?? Math.random, 3000, 1).map((v) => v / 100);
    const large = sampleOf(draws['pareto'] ?? Math.random, 3000, 2);
    const merged = sketchOf(small);
    merged.merge(sketchOf(large));
    merged.merge(createSketch());
    const whole = sketchOf([...small, ...large]);
    expect(merged.serialise()).toEqual(whole.serialise());
    expect(merged.count).toBe(6000);
    const fromEmpty = createSketch();
    fromEmpty.merge(whole);
    expect(fromEmpty.serialise()).toEqual(whole.serialise());
  });

  it('merges a sketch that is known only through the contract', () => {
    const inner = sketchOf([3, 5, 900]);
    const sketch = createSketch();
    sketch.merge({
      count: 3,
      serialise: () => inner.serialise(),
      add: () => undefined,
      merge: () => undefined,
      quantile: () => null,
      above: () => 0,
      buckets: () => [],
    });
    expect(sketch.serialise()).toEqual(inner.serialise());
  });

  it('is merged from its bytes into several at once', () => {
    const more = sketchOf([0, 2, 40_000]);
    const [one, other] = [sketchOf([7, 9]), createSketch()];
    mergeBytes(more.serialise(), [one, other]);
    expect(one.serialise()).toEqual(sketchOf([7, 9, 0, 2, 40_000]).serialise());
    expect(other.serialise()).toEqual(more.serialise());
    expect(() => mergeBytes(Uint8Array.from([9]), [one])).toThrow(/version is 9/);
  });

  it('is joined from the bytes of two to exactly the bytes of all values', () => {
    const random = seeded(3);
    for (let round = 0; round < 200; round++) {
      const draw = (): number => Math.floor(random() ** 4 * 2000);
      const [some, more] = [0, 1].map(() => Array.from({ length: random() * 30 }, draw));
      const joined = joinBytes(sketchOf(some ?? []).serialise(), sketchOf(more ?? []).serialise());
      expect(joined).toEqual(sketchOf([...(some ?? []), ...(more ?? [])]).serialise());
    }
    expect(() => joinBytes(sketchOf([1]).serialise(), Uint8Array.from([9]))).toThrow(
      /version is 9/,
    );
  });

  it('returns from its bytes unchanged, and they are few', () => {
    const sketch = sketchOf(sampleOf(draws['lognormal'] ?? Math.random, 50_000));
    sketch.add(0);
    const bytes = sketch.serialise();
    const back = readSketch(bytes);
    expect(back.count).toBe(sketch.count);
    expect(back.serialise()).toEqual(bytes);
    expect(back.buckets()).toEqual(sketch.buckets());
    expect(bytes.length).toBeLessThan(4500);
    expect(sketchOf([12]).serialise().length).toBeLessThan(8);
  });

  it('keeps counts beyond 32 bits', () => {
    const sketch = sketchOf([7]);
    for (let i = 0; i < 40; i++) sketch.merge(readSketch(sketch.serialise()));
    expect(sketch.count).toBe(2 ** 40);
    expect(readSketch(sketch.serialise()).count).toBe(2 ** 40);
  });

  it('buckets double from one millisecond and hold every value once', () => {
    const buckets = sketchOf([0, 1, 1.5, 2, 3, 100]).buckets();
    expect(buckets.map((bucket) => bucket.le)).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect(buckets.map((bucket) => bucket.count)).toEqual([2, 2, 1, 0, 0, 0, 0, 1]);
  });

  const good = sketchOf([0, 5, 80]).serialise();
  it.each([
    ['nothing at all', new Uint8Array()],
    ['another version', Uint8Array.from([9, ...good.slice(1)])],
    ['cut short', good.slice(0, -1)],
    ['bytes behind the end', Uint8Array.from([...good, 0])],
    ['a number without an end', Uint8Array.from([2, ...Array<number>(40).fill(0xff)])],
    ['a number beyond 2^53', Uint8Array.from([2, ...Array<number>(7).fill(0xff), 0x7f])],
    ['a bin far outside', Uint8Array.from([2, 0, 1, 0xff, 0xff, 0x7f, 1])],
    ['a bin twice', Uint8Array.from([2, 0, 2, 5, 1, 0, 1])],
    ['an empty bin', Uint8Array.from([2, 0, 1, 5, 0])],
    ['more bins than bytes', Uint8Array.from([2, 0, 0xff, 0xff, 0x03, 1, 1])],
  ])('rejects %s with a sentence', (_name, bytes) => {
    expect(() => readSketch(bytes)).toThrow(/A stored sketch cannot be read: .+\./);
  });

  it('survives damaged bytes: reads them whole or rejects them', () => {
    const random = seeded(99);
    let kept = 0;
    let refused = 0;
    for (let round = 0; round < 2000; round++) {
      const bytes = good.slice();
      for (let flips = 0; flips < 1 + (round % 3); flips++) {
        bytes[Math.floor(random() * bytes.length)] = random() * 256;
      }
      const outcome = readOrError(bytes);
      if ('sketch' in outcome) {
        const again = readSketch(outcome.sketch.serialise());
        kept += again.count === outcome.sketch.count ? 1 : 0;
      } else {
        refused += isCodedError(outcome.error) ? 1 : 0;
      }
    }
    expect(kept + refused).toBe(2000);
    expect(kept).toBeGreaterThan(0);
  });
});
