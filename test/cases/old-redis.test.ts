import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startOldRedis } from '@/test/support/old-redis';
import type { TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let redis: TestRedis;
let watching: TestConsole;
beforeAll(async () => {
  redis = await startOldRedis({ password: 'old' });
  watching = await startConsole({ redisUrl: redis.url });
});
afterAll(async () => {
  await watching.stop();
  await redis.stop();
});

describe('a Redis older than 7.0', () => {
  it('is watched with a standing warning, and its locks are shown and released', async () => {
    const client = redis.client();
    await client.set('lock:old', 'A', 'PX', 600_000, 'NX');
    const lock = await watching.heldBy('lock:old', 'A');
    const [target] = await watching.query('targets');
    expect(target?.warnings.map(({ code }) => code)).toContain('old-redis');
    const reason = 'see that it works';
    const { body } = await watching.release('lock:old', { version: lock.hold?.version, reason });
    expect(body).toMatchObject({ outcome: 'released' });
    expect(await client.exists('lock:old')).toBe(0);
    await until('it is free', async () => (await watching.lock('lock:old'))?.state === 'free');
  });

  it('is refused by the lock client, which says what is needed', async () => {
    const client = createLockClient({ redis: redis.client() });
    await expect(client.tryAcquire('a')).rejects.toMatchObject({
      code: 'REDIS_TOO_OLD',
      fields: { needed: '7.0' },
    });
    await client.close();
  });
});
