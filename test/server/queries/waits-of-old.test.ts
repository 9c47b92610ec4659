import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Quantiles, Waits } from '@/lib/protocol/measures';
import { ask } from './ask';
import {
  aBlame,
  aRollup,
  exactly,
  lognormal,
  MINUTE_MS,
  sketchOf,
  STEP_MS,
} from './history-samples';
import { startServer, type TestServer } from './server-under-test';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function expectTruth(found: Quantiles | null | undefined, samples: readonly number[]): void {
  expect(found?.count).toBe(samples.length);
  for (const [name, q] of [
    ['p50', 0.5],
    ['p99', 0.99],
    ['p999', 0.999],
  ] as const) {
    const exact = exactly(samples, q);
    expect(Math.abs((found?.[name] ?? Number.NaN) - exact), name).toBeLessThanOrEqual(exact * 0.01);
  }
}

/** History is kept in longer steps the older it is: of each age, the shortest that is kept. */
describe.each([
  ['hours', 5 * HOUR_MS, MINUTE_MS],
  ['days', 3 * DAY_MS, 5 * MINUTE_MS],
  ['weeks', 30 * DAY_MS, HOUR_MS],
])('what happened %s ago', (age, agoMs, spanMs) => {
  const lockClass = `old:${age}`;
  const steps = 60;
  const samples = lognormal(30_000, { seed: agoMs % 997, median: 80 });
  const part = (step: number): number[] => samples.filter((_, i) => i % steps === step);
  let server: TestServer;
  let base: number;
  let range: { from: number; to: number };

  afterAll(() => server.stop());
  beforeAll(async () => {
    // Of its own: steps that come when younger ones have been added up already are no part of this.
    server = await startServer();
    base = Math.floor((Date.now() - agoMs) / HOUR_MS) * HOUR_MS;
    range = { from: base, to: base + 4 * spanMs };
    const of = { class: lockClass, namespace: 'old' };
    const everyMs = (4 * spanMs) / steps;
    const stepOf = (i: number): number => base + Math.floor((i * everyMs) / STEP_MS) * STEP_MS;
    await server.context.store.writeRollups({
      rollups: Array.from({ length: steps }, (_, i) =>
        aRollup({ ...of, step: stepOf(i), sketches: { 'fair-queue': sketchOf(part(i)) } }),
      ),
      blame: Array.from({ length: steps }, (_, i) =>
        aBlame({ ...of, step: stepOf(i), owner: `o${i % 3}`, waiterMs: i }),
      ),
    });
  });

  const waits = (more: { marker?: number } = {}): Promise<Waits> =>
    ask(server.as('viewer'), 'waits', { class: lockClass, ...range, ...more });

  it('has percentiles as true as those of today, in steps as long as they are kept', async () => {
    const answer = await waits();
    expectTruth(answer, samples);
    expect(answer).toMatchObject({ stepMs: spanMs, series: { length: 4 }, from: range.from });
    for (const [step, { at, waits: ofStep }] of answer.series.entries()) {
      expect(at).toBe(base + step * spanMs);
      expectTruth(
        ofStep,
        samples.filter((_, i) => Math.floor((i % steps) / 15) === step),
      );
    }
  });

  it('is compared around a marker at the border of such a step', async () => {
    const { marker } = await waits({ marker: base + 2.4 * spanMs });
    expect(marker?.at).toBe(base + 2 * spanMs);
    expectTruth(
      marker?.before.waits,
      samples.filter((_, i) => i % steps < 30),
    );
    expectTruth(
      marker?.after.waits,
      samples.filter((_, i) => i % steps >= 30),
    );
  });

  it('is blamed on the same holders, in all', async () => {
    const answer = await ask(server.as('viewer'), 'blame', { class: lockClass, ...range });
    expect(answer.totalMs).toBe((steps * (steps - 1)) / 2);
    expect(answer.leaves.map(({ owner, waitMs }) => [owner, waitMs])).toEqual([
      ...[
        ['o2', 610],
        ['o1', 590],
        ['o0', 570],
      ],
    ]);
  });
});
