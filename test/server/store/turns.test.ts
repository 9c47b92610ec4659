import { describe, expect, it } from 'vitest';
import { createTurns, sortedInTurns } from '@/server/store/turns';

describe('sorting in turns', () => {
  it('gives what sorting at once gives, equal items in their order', async () => {
    let seed = 3;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const length of [0, 1, 499, 500, 501, 1700, 5000]) {
      const items = Array.from({ length }, (_, place) => ({ key: random(400), place }));
      const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(await sortedInTurns(items, byKey, createTurns())).toEqual(items.toSorted(byKey));
    }
  });

  it('lets the event loop go on in between', async () => {
    const items = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_011);
    let turnsTaken = 0;
    const turns = { isDue: () => true, next: async () => void (turnsTaken += 1) };
    await sortedInTurns(items, (a, b) => a - b, turns);
    expect(turnsTaken).toBeGreaterThan(100);
  });
});
