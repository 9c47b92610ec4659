import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRollup, MINUTE_MS, sketchOf, STEP_MS } from './history-samples';
import { ask } from './ask';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
/** When the watch began: less than half an hour ago, which the overview shows. */
let base: number;
beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 20 * MINUTE_MS;
  const rollups = Array.from({ length: 12 }, (_, i) =>
    [0, 1].map((step) =>
      aRollup({
        ...{ class: `class:${i}`, namespace: `n${i % 2}`, step: base + step * STEP_MS },
        ...{ acquisitions: 3, heldMs: 500, waiterMs: i === 11 ? null : i * 1000 },
        formatId: i === 11 ? 'redlock' : 'redisson-fair',
        ends: { released: 2, 'lease-ended': 1 },
        sketches: { hold: sketchOf([10, 20]), ...(i < 11 && { 'fair-queue': sketchOf([i + 1]) }) },
      }),
    ),
  );
  await server.context.store.writeRollups({ rollups: rollups.flat(), blame: [] });
});
afterAll(() => server.stop());

const viewer = () => ({ ...server.as('viewer'), startedAt: base });
const minute = () => ({ from: base, to: base + MINUTE_MS });

describe('classes', () => {
  it('are told with their sums and distributions over the range, the most contended first', async () => {
    const { items, from, to } = await ask(viewer(), 'classes', minute());
    expect({ from, to }).toEqual(minute());
    expect(items.slice(0, 11).map((one) => one.class)).toEqual(
      Array.from({ length: 11 }, (_, i) => `class:${10 - i}`),
    );
    expect(items[0]).toMatchObject({
      ...{ class: 'class:10', namespace: 'n0', formats: ['redisson-fair'], acquisitions: 6 },
      ...{ ends: { released: 4, 'lease-ended': 2 }, evidence: 'observed' },
      ...{ holdMs: { count: 4 }, waitMs: { count: 2 }, waitMsEvidence: 'observed' },
    });
    expect(items[0]?.contention).toBeCloseTo(20_000 / MINUTE_MS, 10);
    expect(items[0]?.holdShare).toBeCloseTo(1000 / MINUTE_MS, 10);
    expect(items[0]?.waitMs.p50).toBeCloseTo(11, 0);
  });

  it('of which nobody can count the waiters have no contention, and not none', async () => {
    const { items } = await ask(viewer(), 'classes', minute());
    const polled = items.find((one) => one.class === 'class:11');
    expect(polled).toMatchObject({ contention: null, evidence: 'unknown', waitMs: { count: 0 } });
  });

  it('are on the overview as on their own page, the busiest of them', async () => {
    const { items } = await ask(viewer(), 'classes', {});
    const { busiest } = await ask(viewer(), 'overview', {});
    // Both are of the last hour, which goes on between the questions.
    const withoutShares = (all: typeof items) =>
      all.map(({ contention: _contention, holdShare: _holdShare, ...rest }) => rest);
    expect(busiest).toHaveLength(8);
    expect(withoutShares(busiest)).toEqual(withoutShares(items.slice(0, 8)));
  });
});

describe('what the overview shows over time', () => {
  it.each([
    { series: 'acquisitions', count: 36 },
    { series: 'lost', count: 12 },
  ] as const)(
    'is what all classes did, step by step, and unknown before the watch: $series',
    async ({ series, count }) => {
      const { [series]: steps } = await ask(viewer(), 'overview', {});
      const at = (time: number) => steps.find((one) => one.at === time);
      expect(at(base + STEP_MS)?.value).toBe(count);
      expect(at(base + 2 * STEP_MS)?.value).toBe(0);
      expect(steps.every(({ at: time, value }) => time < base === (value === null))).toBe(true);
    },
  );
});
