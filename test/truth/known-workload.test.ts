import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Heatmap, Waits } from '@/lib/protocol/measures';
import { startConsole, type TestConsole } from '@/test/support/console';
import { listenToReleases } from '@/test/support/known-workload/listen';
import { planWorkload, type Plan } from '@/test/support/known-workload/plan';
import { playWorkload } from '@/test/support/known-workload/play';
import { errorAt, msWithin, truthOf } from '@/test/support/known-workload/truth';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const STEP_MS = 10_000;
const MINUTE_MS = 60_000;
/** Fewer waits than this have no hundredth one. */
const LEAST_WAITS = 200;

let redis: TestRedis;
let console: TestConsole;
beforeAll(async () => {
  redis = await startRedis();
  console = await startConsole({ redisUrl: redis.url, env: { LOCKSCOPE_WATCH: '*' } });
});
afterAll(async () => {
  await console.stop();
  await redis.stop();
});

const ranged = (from: number, to: number) => ({
  from: `${Math.floor(from)}`,
  to: `${Math.ceil(to)}`,
});

/** Waiter-milliseconds that the map tells of a class in [from, to), both borders of columns; null = not known. */
function shownMs(map: Heatmap, lockClass: string, from: number, to: number): number | null {
  const row = map.rows.findIndex(({ path }) => path[1] === lockClass);
  let sum: number | null = 0;
  for (const [i, at] of map.columns.entries()) {
    if (at < from || at >= to) continue;
    const value: number | null | undefined = map.values[row]?.[i];
    sum = sum === null || value === null || value === undefined ? null : sum + value * map.stepMs;
  }
  return sum;
}

/** A console that stood still for longer says itself of what came meanwhile that it was not seen in time. */
const MOST_LATE_MS = 400;
const MOST_PLAYS = 3;

/**
 * Plays until nobody who only listens was late by much: of a machine that stood still nothing can be told that a console
 * should have known. What is measured of the console has no part in that.
 */
async function playInTime(plan: Plan): ReturnType<typeof play> {
  let played = await play(plan);
  for (let plays = 1; plays < MOST_PLAYS && played.mostLateMs > MOST_LATE_MS; plays++) {
    played = await play(plan);
  }
  return played;
}

/** Begins with a step of history, because a range that begins within one counts it whole; and `beside` with it. */
async function play(plan: Plan, beside: () => Promise<void> = async () => {}) {
  await pause(STEP_MS - (Date.now() % STEP_MS));
  const listener = await listenToReleases(redis.client());
  const from = Date.now();
  const [played] = await Promise.all([playWorkload(redis.client(), plan), beside()]);
  const truth = truthOf(plan, played);
  const last = truth.holds.reduce((latest, { to }) => Math.max(latest, to), from);
  await until('all is seen to be over', async () => {
    const { counters } = await console.query('overview');
    return counters.held === 0 && counters.waiting === 0;
  });
  const [lateMs, mostLateMs] = [listener.lateness(played, 0.99), listener.lateness(played, 1)];
  return { ...truth, from, to: last, lateMs, mostLateMs };
}

describe('fifty thousand locks of thirty classes, each wait and hold of which is known', () => {
  let plan: Plan;
  let truth: Awaited<ReturnType<typeof play>>;
  let waits: Waits;
  let map: Heatmap;

  beforeAll(async () => {
    plan = planWorkload({ locks: 50_000, lengthMs: 150_000 });
    truth = await playInTime(plan);
    const range = ranged(truth.from, truth.to + 1);
    waits = await console.query('waits', range);
    map = await console.query('heatmap', { metric: 'waiters', ...range });
  }, MOST_PLAYS * 300_000);

  const shown = (p99: number | null) => ({ shown: p99, q: 0.99, lateMs: truth.lateMs });

  it('are thirty classes', () => {
    expect(waits.byClass.map((row) => row.class).toSorted()).toEqual(plan.classes.toSorted());
    expect(new Set(truth.holds.map(({ lock }) => lock)).size).toBe(50_000);
  });

  it('have their waits told within one per cent at p99, and counted', () => {
    const seen = waits.byClass.flatMap((row) => {
      const durations = truth.waits
        .filter((wait) => wait.class === row.class)
        .map(({ from, to }) => to - from);
      if (durations.length < LEAST_WAITS) return [];
      const missed = Math.abs(row.waitMs.count - durations.length) / durations.length;
      expect(missed, row.class).toBeLessThanOrEqual(0.005);
      return [{ class: row.class, error: errorAt(shown(row.waitMs.p99), durations) }];
    });
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter(({ error }) => !(error <= 0.01))).toEqual([]);
    expect(waits.evidence).toBe('observed');
  });

  it('have their holds told within one per cent at p99', () => {
    const errors = waits.byClass.map((row) => {
      const durations = truth.holds
        .filter((hold) => hold.class === row.class)
        .map(({ from, to }) => to - from);
      return { class: row.class, error: errorAt(shown(row.holdMs.p99), durations) };
    });
    expect(errors.filter(({ error }) => !(error <= 0.01))).toEqual([]);
  });

  it('have the contention of each minute told within two per cent', () => {
    const minute = Math.ceil(truth.from / STEP_MS) * STEP_MS;
    const off = plan.classes.flatMap((lockClass) => {
      const spans = truth.waits.filter((wait) => wait.class === lockClass);
      const real = msWithin(spans, minute, minute + MINUTE_MS);
      if (real === 0) return [];
      const shown = shownMs(map, lockClass, minute, minute + MINUTE_MS);
      const error = Math.abs((shown ?? NaN) - real) / real;
      return error <= 0.02 ? [] : [{ class: lockClass, real, shown }];
    });
    expect(map.stepMs).toBe(STEP_MS);
    expect(off).toEqual([]);
  });

  it('are told without a gap where there was none', () => {
    expect([waits.gaps, map.gaps]).toEqual([[], []]);
  });

  it('have waiting put on whoever held the lock', async () => {
    const blame = await console.query('blame', {
      ...ranged(truth.from, truth.to + 1),
      limit: '1000',
    });
    const real = msWithin(truth.waits, truth.from, truth.to);
    expect(Math.abs(blame.totalMs - real) / real).toBeLessThan(0.02);
  });
});

it(
  'every gap is marked, and what touches one is in no percentile',
  { timeout: 300_000 },
  async () => {
    const admin = redis.client();
    const plan = planWorkload({ locks: 1500, lengthMs: 20_000, seed: 2 });
    const cuts: number[] = [];
    const cutFiveTimes = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) {
        await pause(3500);
        await until('the watch listens', async () => {
          const [target] = await console.query('targets');
          return target?.nodes[0]?.connected;
        });
        cuts.push(Date.now());
        await admin.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
      }
    };
    const truth = await play(plan, cutFiveTimes);
    const range = ranged(truth.from, truth.to + 1);
    const [waits, map] = await Promise.all([
      console.query('waits', range),
      console.query('heatmap', { metric: 'waiters', ...range }),
    ]);
    expect(cuts).toHaveLength(5);
    for (const cut of cuts) {
      for (const { gaps } of [waits, map]) {
        const its = gaps.find(({ from, to }) => from <= cut + 50 && (to ?? Infinity) >= cut - 50);
        expect(its?.reason).toBe('connection-lost');
      }
    }
    const untouched = truth.waits.filter(({ from, to }) =>
      waits.gaps.every((gap) => to < gap.from || from > (gap.to ?? Infinity)),
    );
    expect(waits.count).toBeLessThanOrEqual(truth.waits.length);
    expect(Math.abs(waits.count - untouched.length)).toBeLessThanOrEqual(untouched.length * 0.01);
  },
);
