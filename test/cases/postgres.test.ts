import { afterAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startPostgres } from '@/test/support/postgres';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const PATIENCE_MS = 60_000;

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

  it('tells another console of the same Redis which orders of locks are meant, and when they are not', async () => {
    if (isMissing) throw new Error(postgres.unavailable);
    const env = {
      LOCKSCOPE_DATABASE_URL: await postgres.newDatabase(),
      LOCKSCOPE_WATCH: 'shop:*',
    };
    const here = await startConsole({ redisUrl: at.redis.url, env });
    const there = await startConsole({ redisUrl: at.redis.url, env });
    const both = [here, there];
    const nest = async (owner: string, ...keys: string[]): Promise<void> => {
      for (const key of keys) {
        await at.client.multi().hincrby(key, owner, 1).pexpire(key, 600_000).exec();
        for (const console of both) await console.heldBy(key, owner);
      }
      await at.client.del(...keys);
      for (const console of both) {
        for (const key of keys) {
          const isFree = async () => (await console.detail(key))?.hold === null;
          await until(`${key} is free`, isFree, PATIENCE_MS);
        }
      }
    };
    const predicted = async (console: TestConsole) =>
      (await console.query('deadlocks')).find(({ state }) => state === 'predicted');
    const firing = async (console: TestConsole) =>
      (await console.alerts('order-inversion')).filter(({ state }) => state === 'firing').length;
    const post = (console: TestConsole, verb: string, body: object) =>
      console.request('POST', `/api/v1/orders/${verb}`, { body });
    try {
      await nest('b983c153-7421-469a-addb-44fb92259a1b:11', 'shop:stock', 'shop:order');
      await nest('0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:22', 'shop:order', 'shop:stock');
      for (const console of both) {
        await until('it is told', async () => (await firing(console)) === 1, PATIENCE_MS);
      }
      const id = (await predicted(here))?.id;
      const said = await post(here, `${id}/intend`, { reason: 'they never meet', version: null });
      expect(said.status).toBe(200);
      // Whether or not the other console has heard of it by now.
      const late = await post(there, `${id}/intend`, { reason: 'nor do I', version: null });
      expect(late).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
      const heard = async () => (await predicted(there))?.intended?.reason === 'they never meet';
      await until('the other one knows', heard, PATIENCE_MS);
      for (const console of both) {
        await until('it is no alert', async () => (await firing(console)) === 0, PATIENCE_MS);
      }

      expect((await post(there, `${id}/unintend`, { reason: 'they met' })).status).toBe(200);
      for (const console of both) {
        const isMeant = async () => (await predicted(console))?.intended ?? null;
        await until('it is not meant', async () => (await isMeant()) === null, PATIENCE_MS);
        await until('it is an alert', async () => (await firing(console)) === 1, PATIENCE_MS);
      }
    } finally {
      for (const console of both) await console.stop();
    }
  }, 500_000);
});
