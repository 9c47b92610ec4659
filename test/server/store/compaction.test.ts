import { expect, it } from 'vitest';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import type { Retention, Rollup, RollupsQuery } from '@/server/store/history-contract';
import type { Store } from '@/server/store/store-contract';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { until } from '@/test/support/until';
import { aBlame, aRollup } from './samples';
import { onBoth } from './store-under-test';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BUILT_WITHIN_MS = 90_000;

/** All steps stay beside the longer ones that are built of them. */
const KEPT_ALL: Retention = {
  ...DEFAULT_RETENTION,
  tiers: DEFAULT_RETENTION.tiers.map((tier, i) => ({ ...tier, keepMs: (30 + i) * DAY_MS })),
};

function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Some steps of some series between 1 h and 3 h, and who made others wait. */
function recorded() {
  const random = randomly(11);
  const rollups: Rollup[] = [];
  for (let step = HOUR_MS; step < 3 * HOUR_MS; step += 10_000) {
    if (random(10) < 4) continue;
    const name = { class: `c${random(3)}`, step };
    const sketch = createSketch();
    sketch.add(random(5000) + 1);
    const figures = {
      acquisitions: random(9),
      heldMs: random(10_000),
      waiterMs: random(2) === 0 ? null : random(500),
      ends: { released: random(4), evicted: random(2) },
      handoffs: 1,
      handoffMs: random(90),
      sketches: { hold: sketch.serialise() },
    };
    rollups.push(aRollup({ ...name, ...figures }));
    rollups.push(aRollup({ ...name, ...figures, lock: { db: 0, key: `k${random(5)}` } }));
  }
  const blame = rollups
    .filter(({ lock }) => lock !== null)
    .map(({ lock, step, class: of }) =>
      aBlame({ class: of, lock, step, owner: `o${random(4)}`, waiterMs: random(999) }),
    );
  return { rollups, blame };
}

/** Every question in one, with what no order is promised of put in order. */
async function asked(store: Store, ranges: readonly (readonly [from: number, to: number])[]) {
  const answers: unknown[] = [];
  for (const [from, to] of ranges) {
    for (const level of ['class', 'lock'] as const) {
      const range = { target: 'main', level, from, to };
      for (const stepMs of [null, 10_000, MINUTE_MS, 5 * MINUTE_MS, 2 * HOUR_MS]) {
        if (stepMs !== null && from % stepMs !== 0) continue;
        const rows = await store.rollups({ ...range, stepMs, sketches: ['hold'] });
        answers.push(rows.map(plain).toSorted());
      }
      if (from % MINUTE_MS !== 0) continue;
      const columns = ['heldMs', 'waiterMs', 'lost'] as const;
      const heat = await store.heat({ ...range, stepMs: MINUTE_MS, columns, rows: 99 });
      answers.push(heat);
    }
    const blamed = await store.blame({ target: 'main', from, to });
    answers.push(blamed.map((row) => JSON.stringify(row)).toSorted());
  }
  return answers;
}

const plain = ({ sketches, ...rollup }: Rollup): string =>
  JSON.stringify([rollup, sketches.hold && readSketch(sketches.hold).buckets()]);

const builtUntil = (store: Store, at: number) =>
  until(
    'all tiers are built',
    async () => (await store.kept()).tiers.slice(1).every(({ built }) => (built ?? 0) >= at),
    BUILT_WITHIN_MS,
  );

const RANGES = [
  [HOUR_MS, 3 * HOUR_MS],
  [HOUR_MS + 10_000, 3 * HOUR_MS - 20_000],
  [HOUR_MS + 7 * MINUTE_MS, 2 * HOUR_MS + 33 * MINUTE_MS],
  [0, 9 * HOUR_MS],
] as const;

onBoth('longer steps', (place) => {
  it('tell exactly what the shorter ones told, and take what comes late', async () => {
    const spot = await place.fresh();
    const before = spot.open(() => 3 * HOUR_MS, KEPT_ALL);
    await before.start();
    const { rollups, blame } = recorded();
    for (let at = 0; at < rollups.length; at += 100) {
      await before.writeRollups({ rollups: rollups.slice(at, at + 100), blame: [] });
    }
    await before.writeRollups({ rollups: [], blame });
    const direct = await asked(before, RANGES);
    await before.stop();

    const later = spot.open(() => 10 * HOUR_MS, KEPT_ALL);
    await later.start();
    await builtUntil(later, 9 * HOUR_MS);
    expect(await asked(later, RANGES)).toEqual(direct);

    const late = [
      aRollup({ class: 'c1', step: HOUR_MS + 40_000, waiterMs: 3, ends: { evicted: 1 } }),
      aRollup({ class: 'new', step: 2 * HOUR_MS, lock: { db: 1, key: 'new' } }),
    ];
    const lateBlame = [aBlame({ step: HOUR_MS, owner: 'late' })];
    await later.writeRollups({ rollups: late, blame: lateBlame });
    const withLate = await asked(later, RANGES);
    expect(withLate).not.toEqual(direct);
    await later.stop();

    const other = await place.fresh();
    const fine = other.open(() => 3 * HOUR_MS, KEPT_ALL);
    await fine.start();
    await fine.writeRollups({ rollups: [...rollups, ...late], blame: [...blame, ...lateBlame] });
    expect(await asked(fine, RANGES)).toEqual(withLate);

    const joined = spot.open(() => 20 * HOUR_MS, KEPT_ALL);
    await joined.start();
    await builtUntil(joined, 19 * HOUR_MS);
    expect(await asked(joined, RANGES)).toEqual(withLate);
  }, 240_000);

  it('are built when nothing corrects their steps any more, and not before', async () => {
    const spot = await place.fresh();
    const step = 10 * HOUR_MS;
    const store = spot.open(() => step + 17 * MINUTE_MS + 5000, KEPT_ALL);
    await store.start();
    await store.writeRollups({ rollups: [aRollup({ step })], blame: [] });
    await store.stop();
    const again = spot.open(() => step + 17 * MINUTE_MS + 5000, KEPT_ALL);
    await again.start();
    const tiers = await until(
      'two minutes are built',
      async () => {
        const kept = await again.kept();
        return (kept.tiers[1]?.built ?? 0) >= step + 2 * MINUTE_MS ? kept.tiers : null;
      },
      BUILT_WITHIN_MS,
    );
    expect(tiers.map(({ built }) => built)).toEqual([null, step + 2 * MINUTE_MS, null, null]);
  });

  it('remain when the shorter ones are gone, and then count whole', async () => {
    const spot = await place.fresh();
    const before = spot.open(() => 3 * HOUR_MS);
    await before.start();
    const steps = [0, 10_000, 50_000, 60_000].map((offset) => 2 * HOUR_MS + offset);
    const rollups = steps.map((step) => aRollup({ step, waiterMs: 7 }));
    await before.writeRollups({ rollups, blame: [] });
    await before.stop();
    const later = spot.open(() => 5 * HOUR_MS);
    await later.start();
    await until(
      'ten seconds are gone',
      async () => ((await later.kept()).tiers[0]?.from ?? Infinity) > 3 * HOUR_MS,
      BUILT_WITHIN_MS,
    );
    const query: RollupsQuery = {
      target: 'main',
      level: 'class',
      from: 2 * HOUR_MS,
      to: 3 * HOUR_MS,
      stepMs: 10_000,
      sketches: [],
    };
    const told = (rows: Rollup[]) => rows.map(({ step, spanMs, heldMs }) => [step, spanMs, heldMs]);
    const minutes = [
      [2 * HOUR_MS, MINUTE_MS, 1500],
      [2 * HOUR_MS + MINUTE_MS, MINUTE_MS, 500],
    ];
    expect(told(await later.rollups(query))).toEqual(minutes);
    expect(told(await later.rollups({ ...query, from: query.from + 30_000 }))).toEqual(minutes);
    const whole = { ...query, from: query.from + 30_000, stepMs: null };
    expect((await later.rollups(whole)).map(({ heldMs, waiterMs }) => [heldMs, waiterMs])).toEqual([
      [2000, 28],
    ]);
    // What comes for a step that only the longer tiers still have goes there.
    await later.writeRollups({ rollups: [aRollup({ step: 2 * HOUR_MS })], blame: [] });
    expect(told(await later.rollups(query))[0]).toEqual([2 * HOUR_MS, MINUTE_MS, 2000]);
    expect(await later.firstRollupAt('main')).toBe(2 * HOUR_MS);
  }, 240_000);
});
