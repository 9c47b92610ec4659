import { afterEach, describe, expect, it } from 'vitest';
import { DryRun } from '@/lib/protocol/rules';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const HOLDS = 130;
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 180_000;
const LOCK_CLASS = 'pay:*';
const reason = 'judged by its own measure';
/** Fires soon for a class that is known, and never within a test for one that is not. */
const setting = {
  ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
  threshold: { kind: 'adaptive', factor: 2, least: 100, otherwise: HOUR_MS },
} as const;

let redis: TestRedis | undefined;
let running: TestConsole | undefined;
afterEach(async () => {
  await running?.stop();
  await redis?.stop();
});

async function tried(at: TestConsole): Promise<DryRun> {
  const params = new URLSearchParams({
    ...{ code: 'long-hold', class: LOCK_CLASS },
    setting: JSON.stringify(setting),
  });
  return DryRun.parse(await at.get<DryRun>(`/rules/dry-run?${params}`));
}

const known = (at: TestConsole) =>
  until(
    'enough of the class is known',
    async () => {
      const [limit] = (await tried(at)).limits;
      return limit && limit.holds >= 100 && limit.p99Ms !== null ? limit : null;
    },
    PATIENCE_MS,
  );

describe('a console that starts again', { timeout: 420_000 }, () => {
  it('judges by what was usual of the class before, and says how many holds that rests on', async () => {
    redis = await startRedis();
    const client = redis.client();
    const env = { LOCKSCOPE_WATCH: LOCK_CLASS };
    running = await startConsole({ redisUrl: redis.url, env });
    const at = running;
    const body = { code: 'long-hold', class: LOCK_CLASS, setting, reason };
    expect(await at.request('POST', '/api/v1/rules', { body })).toMatchObject({ status: 200 });
    for (let i = 0; i < HOLDS; i++) {
      await client.set(`pay:${i % 4}`, `worker-${i}`, 'PX', 60_000);
      await until('it is seen', async () => {
        const { items } = await at.query('locks', { q: `pay:${i % 4}` });
        return items.some(({ hold }) => hold?.owner.id === `worker-${i}`);
      });
      await client.del(`pay:${i % 4}`);
    }
    await known(at);
    // A start finds in history what was in steps that are over.
    const stepEndsAt = (Math.floor(Date.now() / ROLLUP_STEP_MS) + 1) * ROLLUP_STEP_MS;
    await until('the step of the last hold is over', async () => Date.now() >= stepEndsAt);
    await at.terminate();
    await at.restart();

    const limit = await known(at);
    expect(limit.class).toBe(LOCK_CLASS);
    expect(limit.from).toBeLessThan(Date.now());
    const { rules } = await at.query('rules', {});
    const exception = rules.find(({ code }) => code === 'long-hold')?.classes[0];
    expect(exception?.usual).toMatchObject({ p99Ms: limit.p99Ms, holds: limit.holds });
    await client.set('pay:slow', 'worker-slow', 'PX', HOUR_MS);
    await until(
      'it fires by the threshold of the class',
      async () => {
        const { items } = await at.query('alerts', { state: 'open', code: 'long-hold' });
        return items.some(({ subject }) => subject.label === 'pay:slow');
      },
      PATIENCE_MS,
    );
  });
});
