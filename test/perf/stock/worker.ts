import { Redis } from 'ioredis';
import { createLockClient, isLockError } from '@/lib/lock/index';
import { createStock } from '@/lib/lock/stock/index';
import { monotonicMs } from '@/test/perf/lock/clock';
import { quantile } from '@/test/perf/statistics';
import type { Bought, FromBuyers, Job, ToBuyers } from '@/test/perf/stock/job';

/** Buys one unit; false when there is none left. */
type Buy = (orderId: string) => Promise<boolean>;

function fromSegments(job: Job, redis: Redis): Buy {
  const client = createLockClient({ redis });
  const stock = createStock({ client, redis, name: job.name });
  return async (orderId) => {
    try {
      await stock.deduct(1, { orderId });
      return true;
    } catch (error) {
      if (isLockError(error) && error.code === 'OUT_OF_STOCK') return false;
      throw error;
    }
  };
}

/** The way without segments: everybody through one lock, two commands each. */
function fromPlainLock(job: Job, redis: Redis): Buy {
  const client = createLockClient({ redis, waitMs: Infinity });
  return async () =>
    await client.using(`bench:${job.name}`, async () => {
      if (Number(await redis.get(job.name)) < 1) return false;
      await redis.decrby(job.name, 1);
      return true;
    });
}

async function buyUntilSoldOut(buy: Buy, job: Job): Promise<Bought> {
  const latencies: number[] = [];
  const startedAt = monotonicMs();
  let lastSoldAt = startedAt;
  let asked = 0;
  const caller = async (): Promise<void> => {
    for (;;) {
      const askedAt = performance.now();
      if (!(await buy(`order-${job.process}-${asked++}`))) return;
      latencies.push(performance.now() - askedAt);
      lastSoldAt = monotonicMs();
    }
  };
  await Promise.all(Array.from({ length: job.callers }, caller));
  const [p50, p99, max] = [0.5, 0.99, 1].map((q) => quantile(latencies, q));
  return {
    sold: latencies.length,
    startedAt,
    lastSoldAt,
    latencyMs: { p50: p50 ?? 0, p99: p99 ?? 0, max: max ?? 0 },
  };
}

const tell = (message: FromBuyers): void => void process.send?.(message);

const nextMessage = async (): Promise<ToBuyers> =>
  await new Promise((resolve) => process.once('message', resolve));

async function work(job: Job): Promise<void> {
  const redis = new Redis({ port: job.port, password: job.password, host: '127.0.0.1' });
  const buy = job.kind === 'segments' ? fromSegments(job, redis) : fromPlainLock(job, redis);
  await buy(`order-${job.process}-first`);
  tell({ ready: true });
  await nextMessage();
  tell({ bought: await buyUntilSoldOut(buy, job) });
}

// It ends when the bench has its answer, or is gone.
process.on('disconnect', () => process.exit());
try {
  const message = await nextMessage();
  if ('job' in message) await work(message.job);
} catch (error) {
  tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
