import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import type { SketchKind } from '@/server/store/history-contract';
import { until } from '@/test/support/until';
import { ask } from './ask';
import { aHold, aRollup, MINUTE_MS, sketchOf, STEP_MS } from './history-samples';
import { startServer, TARGET, type TestServer } from './server-under-test';

const DAY_MS = 86_400_000;
const stepOf = (at: number): number => Math.floor(at / STEP_MS) * STEP_MS;
const ladder = (most: number, unitMs: number): number[] =>
  Array.from({ length: most }, (_, n) => (n + 1) * unitMs);
const holdSketch = (durations: readonly number[]): Partial<Record<SketchKind, Uint8Array>> => ({
  hold: sketchOf(durations),
});

let server: TestServer;
let now: number;

async function record(
  lockClass: string,
  { durations, ago, ends, formatId = 'redis-py' }: Recorded,
): Promise<void> {
  const rollup = aRollup({
    ...{ class: lockClass, namespace: lockClass.split(':')[0] ?? '', formatId },
    step: stepOf(now - ago),
    acquisitions: durations.length,
    heldMs: durations.reduce((sum, ms) => sum + ms, 0),
    ends: ends ?? { released: durations.length },
    sketches: holdSketch(durations),
  });
  await server.context.store.writeRollups({ rollups: [rollup], blame: [] });
}

interface Recorded {
  durations: readonly number[];
  ago: number;
  ends?: Record<string, number>;
  formatId?: string;
}

/** As if nobody had asked before. */
async function page(): Promise<TimeoutsPage> {
  server.context.adviceMemory.timeouts.forget();
  server.context.adviceMemory.week.forget();
  return await ask(server.as('viewer'), 'timeouts', {});
}

const itemOf = async (lockClass: string): Promise<TimeoutAdvice | undefined> =>
  (await page()).items.find((item) => item.class === lockClass);

beforeAll(async () => {
  server = await startServer({ provider: { lockTimeoutMs: 30_000, retryDelayMs: 40_000 } });
  now = Date.now();
  const { store } = server.context;
  await store.writeHolds([]);
  await record('first:*', { durations: [5], ago: 7 * DAY_MS - MINUTE_MS });
});
afterAll(() => server.stop());

describe('timeouts', () => {
  it('recommend the p99 of a week’s holds and twice the jitter, and say how sure they are', async () => {
    for (const ago of [6, 4, 2]) {
      await record('order:*', { durations: ladder(1000, 10), ago: ago * DAY_MS });
    }
    const { jitter } = await until(
      'the round trips are measured',
      async () => {
        const answer = await page();
        return answer.jitter ? answer : null;
      },
      100_000,
    );
    const item = await itemOf('order:*');
    expect(item).toMatchObject({
      ...{ namespace: 'order', formats: ['redis-py'], rule: 'holds', confidence: 'good' },
      ...{ verdict: 'unknown', leaseMs: null, burst: null, renewal: null, publish: null },
      holdMs: { count: 3000, cut: 0, isAtLeast: false },
      evidence: 'observed',
    });
    const { p99, low, high } = item?.holdMs ?? { p99: 0, low: 0, high: 0 };
    expect(Math.abs(p99 / 9_900 - 1)).toBeLessThan(0.005);
    expect(low).toBeLessThanOrEqual(p99);
    expect(high).toBeGreaterThanOrEqual(p99);
    expect(item?.recommendedMs).toBeGreaterThanOrEqual(Math.ceil(p99));
    expect(jitter?.ms).toBeGreaterThanOrEqual(0);
    const whole = await page();
    expect(whole.coveredMs / (7 * DAY_MS)).toBeGreaterThan(0.99);
    expect(whole.retry).toMatchObject({ timeoutMs: 30_000, delayMs: 40_000, leastMs: 45_000 });
  }, 200_000);

  it('follow a burst of the last minutes at once', async () => {
    const usual = Array.from({ length: 10 }, () => ladder(1000, 5)).flat();
    await record('sync:*', { durations: usual, ago: 3 * DAY_MS });
    const before = await itemOf('sync:*');
    expect(before?.rule).toBe('holds');
    await record('sync:*', {
      durations: [...Array.from({ length: 170 }, () => 2_000), ...ladder(30, 1_000)],
      ago: MINUTE_MS,
    });
    const during = await itemOf('sync:*');
    expect(during).toMatchObject({ rule: 'burst', burst: { holds: 200 } });
    expect(during?.recommendedMs).toBeGreaterThan(2 * (before?.recommendedMs ?? 0));
  });

  it('list classes whose lease is too short, and those that lease far too long, the first with least', async () => {
    const { client } = server;
    await client.set('inv:short:1', 'a', 'PX', 8_000);
    await client.set('inv:long:1', 'b', 'PX', 600_000);
    await server.lock('inv:short:1');
    await server.lock('inv:long:1');
    const formatId = 'pattern';
    await record('inv:short:*', { durations: ladder(1000, 10), ago: DAY_MS, formatId });
    await record('inv:long:*', { durations: ladder(1000, 10), ago: DAY_MS, formatId });
    const { items } = await page();
    const verdicts = items.map(({ class: name, verdict }) => [name, verdict]);
    expect(verdicts.slice(0, 2)).toEqual([
      ['inv:short:*', 'too-short'],
      ['inv:long:*', 'too-long'],
    ]);
    expect(items[1]?.leaseMs?.count).toBe(1);
    const { usual = 0 } = items[1]?.leaseMs ?? {};
    // A console that is late beside a busy machine measures a lease by as much too short.
    expect(Math.abs(usual - 600_000)).toBeLessThan(10_000);
    // What is left of the lease of a holder that dies halfway through a usual hold.
    expect(Math.abs((items[1]?.crash.nowMs ?? 0) - (usual - 2_500))).toBeLessThan(500);
  });

  it('say "at least" where holds are cut by their lease', async () => {
    const durations = [...ladder(950, 10), ...Array.from({ length: 50 }, () => 10_000)];
    await record('cut:*', { durations, ago: DAY_MS, ends: { released: 950, 'lease-ended': 50 } });
    const item = await itemOf('cut:*');
    expect(item).toMatchObject({
      ...{ rule: 'cut', confidence: 'low', evidence: 'inferred' },
      holdMs: { cut: 50, isAtLeast: true },
    });
    expect(item?.recommendedMs).toBeGreaterThan(19_000);
  });

  it('say of which classes nothing is recommended, and why', async () => {
    await record('few:*', { durations: ladder(29, 10), ago: DAY_MS });
    await record('pool:*', {
      durations: ladder(100, 10),
      ago: DAY_MS,
      formatId: 'qoder-semaphore',
    });
    const ends = { released: 10, 'lease-ended': 90 };
    await record('left:*', { durations: ladder(100, 10), ago: DAY_MS, ends });
    const { silent } = await page();
    expect(silent).toEqual(
      expect.arrayContaining([
        { class: 'few:*', namespace: 'few', because: 'too-few', holds: 29 },
        { class: 'pool:*', namespace: 'pool', because: 'several-holders', holds: 100 },
        { class: 'left:*', namespace: 'left', because: 'left-to-lease', holds: 100 },
      ]),
    );
  });

  it('leave out the time for which a lock is kept after the work', async () => {
    const start = stepOf(now - DAY_MS);
    const row = (n: number, lengthMs: number, kept: boolean) =>
      aHold({
        ...{ db: 0, key: `job-lock:default:job-${n}`, class: 'job:*', formatId: 'shedlock' },
        ...{ start: start + n * 1000, end: start + n * 1000 + lengthMs, generation: n },
        notes: kept ? ['finished-kept'] : [],
      });
    const rows = Array.from({ length: 100 }, (_, n) => row(n, n % 2 ? 60_000 : 200, n % 2 === 1));
    await server.context.store.writeHolds(
      rows.map((each) => ({ ...each, target: TARGET, namespace: 'job' })),
    );
    const durations = rows.map(({ past }) => (past.end ?? 0) - past.start);
    await record('job:*', { durations, ago: DAY_MS, formatId: 'shedlock' });
    const item = await itemOf('job:*');
    expect(item).toMatchObject({ sampled: 50, evidence: 'inferred', recommendedMs: 1000 });
    expect(Math.abs((item?.holdMs.p99 ?? 0) / 200 - 1)).toBeLessThan(0.005);
  });
});
