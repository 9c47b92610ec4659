import { afterEach, describe, expect, it } from 'vitest';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf } from './watch-harness';

const INSTANCE = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const KEY = `lockscope:instance:${INSTANCE}`;
const FACTS = { host: 'web-1', ip: '10.0.0.7', pid: '4711', app: 'shop', startedAt: '1' };

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
  stop = [];
});

async function startWatching(before?: Record<string, string>) {
  const server = await startRedis({ flags: 'KEAn' });
  stop.push(server.stop);
  const redis = server.client();
  if (before) await redis.hset(KEY, before);
  const watching = watchOf(server);
  stop.push(watching.watch.stop);
  await watching.watch.start();
  await until('the watch is ready', () => watching.watch.ready);
  const last = () => watching.of('instance').at(-1);
  return { ...watching, redis, last };
}

describe('an instance of our own client', () => {
  it('is known from before the watch, and when it comes', async () => {
    const { redis, last, of } = await startWatching(FACTS);
    await until('it is read', () => last()?.facts);
    expect(last()).toMatchObject({
      instance: INSTANCE,
      facts: { host: 'web-1', ip: '10.0.0.7', pid: 4711, app: 'shop' },
    });
    const other = INSTANCE.replace('6', '7');
    await redis.hset(`lockscope:instance:${other}`, { ...FACTS, app: 'stock' });
    await until('the other is read', () => of('instance').some((seen) => seen.instance === other));
  });

  it('is gone when its presence is deleted', async () => {
    const { redis, last } = await startWatching(FACTS);
    await until('it is read', () => last()?.facts);
    await redis.del(KEY);
    await until('it is gone', () => last()?.facts === null);
  });

  it('is gone when its presence ends, although Redis tells of that late', async () => {
    const { redis, last } = await startWatching(FACTS);
    await redis.eval(
      "for i = 1, 50000 do redis.call('SET', 'cold:' .. i, 'x', 'PX', 3600000) end",
      0,
    );
    await until('it is read', () => last()?.facts);
    await redis.del(KEY);
    await redis.hset(KEY, FACTS);
    await redis.pexpire(KEY, 3000);
    await until('it is back', () => last()?.facts);
    await until('it is gone', () => last()?.facts === null);
  });

  it('that nobody ever saw is looked for when it holds a lock', async () => {
    const { redis, last } = await startWatching();
    await redis.hset('qoder:lock:a', `${INSTANCE}:7`, '1');
    await until('it is looked for', () => last());
    expect(last()).toMatchObject({ instance: INSTANCE, facts: null });
  });

  it('of a Redlock is read anew with each sign of life, for what votes may change', async () => {
    const nodes = 'a:6379/0 b:6379/0 c:6379/0';
    const { redis, last } = await startWatching({ ...FACTS, nodes, silent: '' });
    await until('it is read', () => last()?.facts?.group);
    expect(last()).toMatchObject({
      db: 0,
      facts: { group: { nodes: ['a:6379/0', 'b:6379/0', 'c:6379/0'], silent: [] } },
    });
    await redis.hset(KEY, { nodes, silent: 'c:6379/0' });
    await until('it is read anew', () => last()?.facts?.group?.silent.includes('c:6379/0'));
  });

  it('may say anything of itself: what is shown is bounded and printable', async () => {
    const hostile = { host: `a\u202eb${'x'.repeat(5000)}`, pid: 'nine', app: '' };
    const { last } = await startWatching(hostile);
    const facts = await until('it is read', () => last()?.facts);
    expect(facts).toMatchObject({ pid: null, app: null, ip: null });
    expect(facts.host).toMatch(/^a\\xe2\\x80\\xaeb/);
    expect(facts.host?.length).toBeLessThan(300);
  });
});
