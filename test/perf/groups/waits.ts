import type { Report } from '@/test/perf/index';
import { startConsole } from '@/test/support/console';
import { planWorkload } from '@/test/support/known-workload/plan';
import { playWorkload } from '@/test/support/known-workload/play';
import { percentile, truthOf } from '@/test/support/known-workload/truth';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const LEAST_WAITS = 200;

/** How far the console's p99 of waits is from the truth, the worst of thirty classes. */
export async function measureWaits(report: Report, quick: boolean): Promise<void> {
  const redis = await startRedis();
  const console = await startConsole({ redisUrl: redis.url, env: { LOCKSCOPE_WATCH: '*' } });
  try {
    const plan = planWorkload({
      locks: quick ? 10_000 : 50_000,
      lengthMs: quick ? 30_000 : 150_000,
    });
    const from = Date.now();
    const { waits: real } = truthOf(plan, await playWorkload(redis.client(), plan));
    await until(
      'all is seen to be over',
      async () => (await console.query('overview')).counters.held === 0,
      30_000,
    );
    const { byClass } = await console.query('waits', { from: `${from}`, to: `${Date.now()}` });
    const errors = byClass.flatMap((row) => {
      const durations = real
        .filter((wait) => wait.class === row.class)
        .map((wait) => wait.to - wait.from);
      if (durations.length < LEAST_WAITS) return [];
      const p99 = percentile(durations, 0.99);
      return [Math.abs((row.waitMs.p99 ?? 0) - p99) / p99];
    });
    report('waits.classes', errors.length);
    report('waits.p99Error', Math.max(...errors));
  } finally {
    await console.stop();
    await redis.stop();
  }
}
