import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '@/server/store/store-contract';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { until } from '@/test/support/until';
import { aBlame, aHold, aLeftWait, aRollup } from './samples';
import { onBoth } from './store-under-test';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Tidying is done in the background, after everything else. */
const TIDIED_WITHIN_MS = 90_000;

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

  it('drops what left waits there were with the holds of their time', async () => {
    const spot = await place.fresh();
    const before = spot.open();
    await before.start();
    const young = aLeftWait({ start: 9 * DAY_MS, end: 9 * DAY_MS + 5 });
    await before.writeLeftWaits([aLeftWait(), young]);
    await before.stop();
    const later = spot.open(() => 10 * DAY_MS);
    await later.start();
    const query = { target: 'main', from: 0, to: 20 * DAY_MS, order: 'newest', limit: 9 } as const;
    const left = await until(
      'one is left',
      async () => {
        const rows = await later.waits(query);
        return rows.length === 1 && rows;
      },
      TIDIED_WITHIN_MS,
    );
    expect(left).toEqual([young]);
  });

  it('drops the longest steps after ninety days and forgets names that nothing refers to', async () => {
    const spot = await place.fresh();
    const before = spot.open();
    await before.start();
    const open = aHold({
      key: 'still open',
      token: 't',
      past: { owner: 'o', end: null, endReason: null, businessId: 'SO-1' },
    });
    await before.writeHolds([aHold(), open]);
    await before.writeRollups({
      rollups: [aRollup(), aRollup({ class: 'gone', lock: { db: 0, key: 'single' } })],
      blame: [aBlame()],
    });
    await before.stop();
    const after = spot.open(() => 20 * DAY_MS);
    await after.start();
    const all = { target: 'main', from: 0, to: DAY_MS, stepMs: null, sketches: [] } as const;
    const hours = async () => (await after.kept()).tiers[3]?.from;
    await until('hours are left', async () => (await hours()) === 0, TIDIED_WITHIN_MS);
    const count = async (table: string, store: Store) => {
      const rows = sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`;
      return (await rows.execute(store.authDatabase.db)).rows[0]?.n;
    };
    await until(
      'unused owners are gone',
      async () => (await count('words', after)) === 3 && (await count('pages', after)) === 3,
      TIDIED_WITHIN_MS,
    );
    // As long as a page tells of a lock its name stays.
    expect(await after.rollups({ ...all, level: 'lock' })).toMatchObject([
      { class: 'gone', lock: { db: 0, key: 'single' } },
    ]);
    await after.stop();
    const later = spot.open(() => 100 * DAY_MS);
    await later.start();
    const left = (what: string, table: string, rows: number) =>
      until(what, async () => (await count(table, later)) === rows, TIDIED_WITHIN_MS);
    await left('no page is left', 'pages', 0);
    await left('one series is left', 'series', 1);
    await left('one lock is left', 'locks', 1);
    expect(await later.holds({ limit: 9 })).toEqual([open]);
    await later.writeHolds([aHold({ past: { start: 100 * DAY_MS, end: 100 * DAY_MS + 1 } })]);
    expect(await later.holds({ key: 'order_sync:1', limit: 9 })).toHaveLength(1);
  }, 600_000);
});

onBoth('the bound of the disk', (place) => {
  const holdsFrom = (start: number) =>
    Array.from({ length: 2000 }, (_, i) => {
      const at = start + i;
      return aHold({
        key: `${'k'.repeat(40)}${at}`,
        token: `token of ${at}`.padEnd(36, 'x'),
        past: { start: at, end: at + 1 },
      });
    });

  it('takes the oldest holds and their names away, and no other', async () => {
    const spot = await place.fresh();
    let now = 0;
    const before = spot.open(() => now, { ...DEFAULT_RETENTION, maxBytes: null });
    await before.start();
    const times = Array.from({ length: 15 }, (_, i) => (i + 1) * 6 * HOUR_MS);
    for (const time of times) {
      now = time;
      await before.writeHolds(holdsFrom(time));
    }
    await before.writeRollups({ rollups: [aRollup({ step: now })], blame: [] });
    await before.stop();
    const maxBytes = place.kind === 'sqlite' ? 6_000_000 : 16_000_000;
    const bounded = spot.open(() => now, { ...DEFAULT_RETENTION, maxBytes });
    await bounded.start();
    const kept = await until(
      'it was cut',
      async () => {
        const { cutAt, holds } = await bounded.kept();
        return cutAt !== null && (holds.from ?? 0) > 6 * HOUR_MS + 2000 ? holds : null;
      },
      TIDIED_WITHIN_MS,
    );
    expect(kept.from).toBeLessThanOrEqual(now);
    expect((await bounded.kept()).cutAt).toBe(now);
    const query = { target: 'main', level: 'class', sketches: [], stepMs: null } as const;
    expect(await bounded.rollups({ ...query, from: 0, to: 2 * now })).toHaveLength(1);
    if (place.kind === 'sqlite') {
      const file = join(spot.dataDir, 'lockscope.db');
      await until('the file is smaller', async () => (await stat(file)).size <= maxBytes, 90_000);
    }
    const [last] = await bounded.holds({ limit: 1 });
    expect(last?.past.start).toBe(now + 1999);
    // It goes on being written, by the same file.
    await bounded.writeHolds([aHold({ past: { start: now, end: now + 9 } })]);
    expect(bounded.health.ok).toBe(true);
  }, 240_000);

  it('takes pages where no hold is left, and shows that it is passed no longer', async () => {
    const spot = await place.fresh();
    const before = spot.open(() => HOUR_MS);
    await before.start();
    await before.writeHolds([aHold()]);
    const steps = Array.from({ length: 90 }, (_, i) => i * 10_000);
    await before.writeRollups({ rollups: steps.map((step) => aRollup({ step })), blame: [] });
    await before.stop();
    const bounded = spot.open(() => HOUR_MS, { ...DEFAULT_RETENTION, maxBytes: 1 });
    await bounded.start();
    const tiers = await until(
      'the finest is cut',
      async () => {
        const kept = await bounded.kept();
        return (kept.tiers[0]?.from ?? Infinity) > 600_000 ? kept.tiers : null;
      },
      TIDIED_WITHIN_MS,
    );
    expect(tiers[1]?.built).toBeGreaterThan(0);
    expect(await bounded.holds({ limit: 9 })).toEqual([]);
  }, 180_000);
});
