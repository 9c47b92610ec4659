import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import { until } from '@/test/support/until';
import { aHold, aRollup } from './samples';
import { onBoth } from './store-under-test';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Tidying is done in the background, after everything else. */
const TIDIED_WITHIN_MS = 20_000;

onBoth('retention', (place) => {
  it('drops holds after seven days but keeps those still open', async () => {
    const spot = await place.fresh();
    const before = spot.open();
    await before.start();
    const open = aHold({ key: 'open', past: { end: null, endReason: null } });
    const young = aHold({ key: 'young', past: { start: 9 * DAY_MS, end: 9 * DAY_MS + 1 } });
    await before.writeHolds([aHold({ token: 'x'.repeat(60) }), open, young]);
    await before.stop();
    const later = spot.open(() => 10 * DAY_MS);
    await later.start();
    // Taken at once: the locks' names were last seen in 1970 and are tidied away next.
    const left = await until(
      'only two are left',
      async () => {
        const rows = await later.holds({ limit: 9 });
        return rows.length === 2 && rows;
      },
      TIDIED_WITHIN_MS,
    );
    expect(left).toEqual([young, open]);
  });

  it('merges steps older than a day into minutes and loses nothing', async () => {
    const spot = await place.fresh();
    const before = spot.open();
    await before.start();
    const sketch = createSketch();
    sketch.add(5);
    const fine = [0, 10_000, 50_000, 60_000].map((offset) =>
      aRollup({ step: 1_200_000 + offset, waiterMs: 7, holdSketch: sketch.serialise() }),
    );
    await before.writeRollups([...fine, aRollup({ class: 'b', step: 1_210_000 })]);
    await before.stop();
    const later = spot.open(() => 2 * DAY_MS);
    await later.start();
    const all = { from: 1_200_000, to: 1_300_000 };
    await until(
      'merged',
      async () => {
        const rows = await later.rollups(all);
        return rows.length === 3 && rows.every(({ spanMs }) => spanMs === 60_000);
      },
      TIDIED_WITHIN_MS,
    );
    const merged = await later.rollups({ ...all, class: 'order_sync:*' });
    expect(
      merged.map(({ step, spanMs, heldMs, waiterMs, ends, acquisitions }) => {
        return { step, spanMs, heldMs, waiterMs, ends, acquisitions };
      }),
    ).toEqual([
      {
        step: 1_200_000,
        spanMs: 60_000,
        heldMs: 1500,
        waiterMs: 21,
        ends: { released: 3 },
        acquisitions: 3,
      },
      {
        step: 1_260_000,
        spanMs: 60_000,
        heldMs: 500,
        waiterMs: 7,
        ends: { released: 1 },
        acquisitions: 1,
      },
    ]);
    expect(readSketch(merged[0]?.holdSketch ?? new Uint8Array()).count).toBe(3);
  });

  it('drops merged steps after thirty days and forgets unused owners and keys', async () => {
    const spot = await place.fresh();
    const before = spot.open();
    await before.start();
    const open = aHold({
      key: 'still open',
      token: 't',
      past: { owner: 'o', end: null, endReason: null },
    });
    await before.writeHolds([aHold(), open]);
    await before.writeRollups([aRollup({ spanMs: 60_000 })]);
    await before.stop();
    const later = spot.open(() => 40 * DAY_MS);
    await later.start();
    await until('dropped', async () => (await later.rollups({ from: 0, to: DAY_MS })).length === 0);
    await until(
      'unused names are gone',
      async () => {
        const names = sql<{ n: number }>`select count(*) as n from words`;
        return (await names.execute(later.authDatabase.db)).rows[0]?.n === 2;
      },
      TIDIED_WITHIN_MS,
    );
    expect(await later.holds({ limit: 9 })).toEqual([open]);
    await later.writeHolds([aHold({ past: { start: 40 * DAY_MS, end: 40 * DAY_MS + 1 } })]);
    expect(await later.holds({ key: 'order_sync:1', limit: 9 })).toHaveLength(1);
  });
});
