import { afterAll, describe, expect, it } from 'vitest';
import { startConsole } from '@/test/support/console';
import { startPostgres } from '@/test/support/postgres';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const postgres = await startPostgres();
const isMissing = 'unavailable' in postgres;

afterAll(async () => {
  if (!isMissing) await postgres.stop();
});

describe.skipIf(isMissing && process.env['CI'] !== 'true')('the console on PostgreSQL', () => {
  const at = watchedRedis({});

  it('releases, audits, and knows it all after a restart', async () => {
    if (isMissing) throw new Error(postgres.unavailable);
    const env = { LOCKSCOPE_DATABASE_URL: await postgres.newDatabase() };
    const console = await startConsole({ redisUrl: at.redis.url, env });
    try {
      await at.client.set('lock:pg', 'A', 'PX', 60_000);
      const { hold } = await console.heldBy('lock:pg', 'A');
      const body = { version: hold?.version, reason: 'a test of PostgreSQL' };
      expect((await console.release('lock:pg', body)).status).toBe(200);
      await console.terminate();
      await console.restart();

      const detail = await until('its history is there', () => console.detail('lock:pg'));
      expect(detail.holds).toMatchObject([{ owner: 'A', endReason: 'force-released' }]);
      const { items } = await console.query('audit', { key: 'lock:pg' });
      expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'requested']);
    } finally {
      await console.stop();
    }
  });
});
