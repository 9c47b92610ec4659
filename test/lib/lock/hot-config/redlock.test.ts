import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConfigWriter } from '@/lib/lock/hot-config/index';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { marked, type Marked } from '@/test/lib/lock/hot-config/marked';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

describe('a configuration whose lock lies on other servers', () => {
  let servers: TestRedis[] = [];
  let client: LockClient;
  beforeAll(async () => {
    servers = await Promise.all(Array.from({ length: 4 }, () => startRedis()));
    const nodes = servers.slice(1).map((server) => server.client());
    client = createLockClient({ nodes, allowInsecure: true });
  });
  afterAll(async () => {
    await client.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const writer = (name: string) => {
    const redis = servers[0]?.client();
    if (!redis) throw new Error('no server');
    return { redis, writer: createConfigWriter<Marked>({ client, redis, name }) };
  };

  it('is changed one after the other', async () => {
    const both = [writer('turns'), writer('turns')];
    await Promise.all(
      both.map(async (each) => {
        for (let i = 0; i < 10; i++) {
          await each.writer.change((current) => marked((current?.mark ?? 0) + 1));
        }
      }),
    );
    const end = await both[0]?.writer.change((current) => current ?? marked(0));
    expect(end?.content).toEqual(marked(20));
  });

  it('refuses one whom a greater fence has overtaken', async () => {
    const { redis, writer: stale } = writer('overtaken');
    await stale.replace(marked(1));
    const change = stale.change(async (_current, lock) => {
      await redis.hset(stale.key, 'fence', lock.fence + 1);
      return marked(2);
    });
    await expect(change).rejects.toMatchObject({ code: 'LOST', fields: { reason: 'superseded' } });
    expect(await redis.hget(stale.key, 'content')).toBe(JSON.stringify(marked(1)));
  });
});
