import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { median, quantile } from '@/test/perf/statistics';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { QUEUE_KEY, TASK } from './count-task';
import { createCounters } from './counters';

export type Report = (name: string, value: number) => void;

const WORKERS = 3;
/** A renewal's period at the runner's default lease: the kill may come anywhere within it. */
const RENEWAL_MS = 333;

/**
 * Kills the process that runs a task, `kills` times, while others stand by. A takeover lasts from the kill to the moment
 * this process hears of the successor's first step. `repeatedSteps` counts steps begun again (at most the one that the kill
 * interrupted), `lostSteps` those that a successor passed over.
 */
export async function measureTakeover(report: Report, kills: number): Promise<void> {
  const server = await startRedis({ flags: '' });
  const redis = server.client();
  const client = createLockClient({ redis, allowInsecure: true });
  const control = createTaskRunner({ client, redis, tasks: { [TASK]: { run: () => null } } });
  const counters = createCounters(server.port);
  const took: number[] = [];
  let [repeatedSteps, lostSteps] = [0, 0];
  try {
    for (let i = 0; i < WORKERS; i++) counters.start();
    await control.trigger(TASK);
    for (let kill = 0; kill < kills; kill++) {
      await until(
        'another process stands by',
        async () => (await redis.llen(QUEUE_KEY)) > 0,
        10_000,
      );
      await pause((kill * RENEWAL_MS) / kills + RENEWAL_MS);
      const victim = await until('a process runs the task', () => counters.last);
      const killedAt = counters.kill(victim.pid);
      const { at, step } = await counters.successor(victim.fence);
      took.push(at - killedAt);
      const interrupted = counters.lastOf(victim.pid);
      repeatedSteps += interrupted + 1 - Math.min(step, interrupted + 1);
      lostSteps += Math.max(step, interrupted + 1) - (interrupted + 1);
      counters.start();
    }
    report('takeover.p50Ms', median(took));
    report('takeover.p99Ms', quantile(took, 0.99));
    report('takeover.maxMs', Math.max(...took));
    report('takeover.repeatedStepsPerKill', repeatedSteps / kills);
    report('takeover.lostSteps', lostSteps);
  } finally {
    await counters.stop();
    await control.close();
    await client.close();
    await server.stop();
  }
}
