import type { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { createStock } from '@/lib/lock/stock/index';
import { median } from '@/test/perf/statistics';
import { startBuyers } from '@/test/perf/stock/buyers';
import type { Bought, Job } from '@/test/perf/stock/job';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const PASSWORD = 'bench';

/** How many processes buy, how many callers in each, and how much there is to buy. */
export interface Course {
  rounds: number;
  processes: number;
  callers: number;
  units: number;
  /** For the plain lock, which needs a second for some thousand. */
  plainUnits: number;
}

interface Round {
  /** First call of the first process to the last acknowledgement. */
  perSecond: number;
  /** Acknowledged beyond what there was. */
  oversold: number;
  /** Left when everybody was told that nothing is left. */
  unsold: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

interface Shop {
  redis: TestRedis;
  own: Redis;
}

/** Every process buys one unit before the round: connected, scripts loaded, first calls compiled. */
async function sellOut(
  { redis }: Shop,
  { kind, name, course }: { kind: Job['kind']; name: string; course: Course },
): Promise<Bought[]> {
  const buyers = Array.from({ length: course.processes }, (_, process) =>
    startBuyers({
      port: redis.port,
      password: PASSWORD,
      kind,
      name,
      callers: course.callers,
      process,
    }),
  );
  try {
    await Promise.all(buyers.map(({ ready }) => ready));
    return await Promise.all(buyers.map(async ({ buy }) => await buy()));
  } finally {
    await Promise.all(buyers.map(async ({ stop }) => await stop()));
  }
}

function roundOf(bought: readonly Bought[], units: number): Round {
  const sold = bought.reduce((sum, one) => sum + one.sold, 0) + bought.length;
  const startedAt = Math.min(...bought.map((one) => one.startedAt));
  const lastSoldAt = Math.max(...bought.map((one) => one.lastSoldAt));
  const slowest = (pick: (one: Bought) => number): number => Math.max(...bought.map(pick));
  return {
    perSecond: ((sold - bought.length) / (lastSoldAt - startedAt)) * 1000,
    oversold: Math.max(0, sold - units),
    unsold: Math.max(0, units - sold),
    p50Ms: slowest(({ latencyMs }) => latencyMs.p50),
    p99Ms: slowest(({ latencyMs }) => latencyMs.p99),
    maxMs: slowest(({ latencyMs }) => latencyMs.max),
  };
}

async function sellSegments(shop: Shop, name: string, course: Course): Promise<Round> {
  const client = createLockClient({ redis: shop.own });
  try {
    const stock = createStock({ client, redis: shop.own, name });
    await stock.setUp(course.units);
    const round = roundOf(await sellOut(shop, { kind: 'segments', name, course }), course.units);
    const { sold, total } = await stock.remaining();
    return { ...round, oversold: Math.max(round.oversold, sold - total) };
  } finally {
    await client.close();
  }
}

async function sellPlain(shop: Shop, name: string, course: Course): Promise<Round> {
  await shop.own.set(name, course.plainUnits);
  return roundOf(await sellOut(shop, { kind: 'plain-lock', name, course }), course.plainUnits);
}

export interface Measured {
  segments: Round[];
  plainLock: Round[];
}

/**
 * Sells out a stock again and again, in turn with the plain lock, on a Redis of its own that writes an append-only
 * file: without one, a stock would not outlive its Redis.
 */
export async function measureStock(course: Course): Promise<Measured> {
  const redis = await startRedis({
    flags: '',
    password: PASSWORD,
    args: ['--appendonly', 'yes', '--appendfsync', 'everysec'],
  });
  const shop = { redis, own: redis.client() };
  const measured: Measured = { segments: [], plainLock: [] };
  try {
    for (let round = 0; round < course.rounds; round++) {
      measured.segments.push(await sellSegments(shop, `sale-${round}`, course));
      measured.plainLock.push(await sellPlain(shop, `plain-${round}`, course));
      await shop.own.flushall();
    }
  } finally {
    await redis.stop();
  }
  return measured;
}

export function figuresOf({ segments, plainLock }: Measured): Record<string, number> {
  const of = (rounds: readonly Round[], field: keyof Round): number =>
    median(rounds.map((round) => round[field]));
  const total = (field: 'oversold' | 'unsold'): number =>
    [...segments, ...plainLock].reduce((sum, round) => sum + round[field], 0);
  const perSecond = of(segments, 'perSecond');
  const ratios = segments.map((round, i) => round.perSecond / (plainLock[i]?.perSecond ?? 0));
  return {
    'stock.deductionsPerSecond': perSecond,
    'stock.deductionsPerSecond.least': Math.min(...segments.map((round) => round.perSecond)),
    'stock.oversold': total('oversold'),
    'stock.unsold': total('unsold'),
    'stock.waitMs.p50': of(segments, 'p50Ms'),
    'stock.waitMs.p99': of(segments, 'p99Ms'),
    'stock.waitMs.max': of(segments, 'maxMs'),
    'stock.plainLock.deductionsPerSecond': of(plainLock, 'perSecond'),
    'stock.ratioToPlainLock': median(ratios),
  };
}
