import { describe, expect, it } from 'vitest';
import { keepHeaviest, type Heaviest } from '@/lib/analysis/heaviest';

interface Item {
  name: string;
  weight: number;
}

function heaviest(items: readonly Item[], limits: { keep: number; bound: number }): Heaviest<Item> {
  const work = keepHeaviest(items, { weightOf, ...limits });
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const weightOf = ({ weight }: Item): number => weight;

describe('the heaviest of many', () => {
  it('are all of them while there is room', () => {
    const items = [{ name: 'a', weight: 1 }];
    expect(heaviest(items, { keep: 1, bound: 4 })).toEqual({
      kept: items,
      dropped: [],
      bound: 4,
    });
    expect(heaviest([], { keep: 0, bound: 0 })).toMatchObject({ kept: [] });
  });

  it('stand in their order, of equal ones the first', () => {
    const items = [3, 9, 5, 5, 5, 1].map((weight, i) => ({ name: `${i}`, weight }));
    const { kept, dropped, bound } = heaviest(items, { keep: 3, bound: 2 });
    expect(kept.map(({ name }) => name)).toEqual(['1', '2', '3']);
    expect(dropped.map(({ name }) => name)).toEqual(['0', '4', '5']);
    expect(bound).toBe(7);
  });

  it('weigh no less than what is kept of them and no more than that and the bound, merged in any order', () => {
    let seed = 29;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 20; round++) {
      const truth = new Map<string, number>();
      let summary = { items: [] as Item[], bound: 0 };
      for (let part = 0; part < 15; part++) {
        const added = Array.from({ length: 60 }, () => ({
          name: `n${Math.floor(random(1000) ** 2 / 5000)}`,
          weight: random(100),
        }));
        for (const { name, weight } of added) truth.set(name, (truth.get(name) ?? 0) + weight);
        const merged = new Map<string, number>();
        for (const { name, weight } of [...summary.items, ...added]) {
          merged.set(name, (merged.get(name) ?? 0) + weight);
        }
        const items = [...merged].map(([name, weight]) => ({ name, weight }));
        const { kept, bound } = heaviest(items, { keep: 30, bound: summary.bound });
        summary = { items: kept, bound };
      }
      const kept = new Map(summary.items.map(({ name, weight }) => [name, weight]));
      for (const [name, weight] of truth) {
        expect(kept.get(name) ?? 0).toBeLessThanOrEqual(weight);
        expect(weight).toBeLessThanOrEqual((kept.get(name) ?? 0) + summary.bound);
      }
    }
  });
});
