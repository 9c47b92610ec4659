import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '@/server/actions/run-action';
import { LATE_LOOP_MS } from '@/server/watch/trace/guard';
import { createTraces } from '@/server/watch/trace/trace-book';
import { startServer, TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { tracesOf } from './trace-under-test';

const nobody = { has: () => false, get: () => null, channels: () => [] };

/** A trace book on a Redis of its own, without the rest of a console. */
async function aBook(redis: TestRedis) {
  return createTraces({
    target: TARGET,
    url: redis.url,
    formats: { sideKey: () => null },
    locks: nobody,
    mayBeLock: (key) => key.startsWith('lock:'),
    deliver: () => undefined,
    onChange: () => undefined,
    now: Date.now,
  });
}

/** Keeps this process from reading and from everything else. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const request = { seconds: 30, actor: 'admin', reason: null };

describe('a trace ends by itself', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  });
  afterAll(() => redis.stop());

  it('when Redis answers too slowly, twice in a row, and Redis tells it nothing more', async () => {
    const book = await aBook(redis);
    const { id } = await book.start(request);
    await until('a calm turn', () => book.get(id).cost.pingMs !== null);
    let isAwake = false;
    const sleeping = redis
      .client()
      .call('DEBUG', 'SLEEP', '5')
      .then(() => (isAwake = true));
    await until('it has ended', () => book.get(id).endedAt);
    expect(isAwake).toBe(false);
    const { state, stoppedBecause, cost } = book.get(id);
    expect(state).toBe('stopped');
    // On a machine that is too busy it is the console that is late.
    expect(stoppedBecause).toBe(cost.loopLagMs > LATE_LOOP_MS ? 'console-slow' : 'redis-slow');
    await sleeping;
    await book.stop();
    const clients = String(await redis.client().call('CLIENT', 'LIST'));
    expect(clients).not.toContain('cmd=monitor');
  });

  it('when it is told faster than is read', async () => {
    const book = await aBook(redis);
    const { id } = await book.start(request);
    const flood = redis.client();
    // One script makes Redis tell some 20 MB at once, and answer nobody meanwhile.
    const script = `for i = 1, 20000 do redis.call('SET', KEYS[1], ARGV[1]) end`;
    while (book.get(id).endedAt === null) await flood.eval(script, 1, 'cache:x', 'x'.repeat(1000));
    // Which limit is met first depends on how fast this machine is.
    const limits = ['buffer-grows', 'redis-slow', 'console-slow', 'too-many-commands'];
    expect(limits).toContain(book.get(id).stoppedBecause);
    await book.stop();
  });

  it('when the console itself is late', async () => {
    const book = await aBook(redis);
    const { id } = await book.start(request);
    await until('it has ended', () => {
      block(600);
      return book.get(id).endedAt;
    });
    expect(book.get(id).stoppedBecause).toBe('console-slow');
    await book.stop();
  });

  it('with the console, and none begins afterwards', async () => {
    const book = await aBook(redis);
    const { id } = await book.start(request);
    await book.stop();
    expect(book.get(id)).toMatchObject({ state: 'stopped', stoppedBecause: 'console-stopped' });
    await expect(book.start(request)).rejects.toMatchObject({ code: 'TARGET_UNAVAILABLE' });
  });

  it('when its connection is lost', async () => {
    const book = await aBook(redis);
    const { id } = await book.start(request);
    const rows = String(await redis.client().call('CLIENT', 'LIST')).split('\n');
    const monitor = rows.find((row) => row.includes('cmd=monitor'));
    await redis.client().call('CLIENT', 'KILL', 'ID', /id=(\d+)/.exec(monitor ?? '')?.[1] ?? '0');
    await until('it has ended', () => book.get(id).endedAt);
    expect(book.get(id).stoppedBecause).toBe('disconnected');
    await book.stop();
  });

  it('is remembered with the nineteen before it', async () => {
    const book = await aBook(redis);
    const ids: string[] = [];
    for (let i = 0; i < 21; i++) {
      const { id } = await book.start(request);
      book.end(id, 'admin');
      ids.unshift(id);
    }
    expect(book.list().map(({ id }) => id)).toEqual(ids.slice(0, 20));
    await book.stop();
  });
});

describe('where Redis forbids', () => {
  let server: TestServer;
  const traces = tracesOf(() => server);
  afterEach(() => server.stop());

  it('MONITOR, a trace is refused with the rule that would allow it', async () => {
    server = await startServer({ acl: ['~*', '&*', '+@all', '-monitor'] });
    const started = runAction(server.as('admin'), 'trace.start', { target: TARGET, seconds: 1 });
    await expect(started).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      message: expect.stringContaining('ACL SETUSER watcher +monitor'),
      details: { capability: 'monitor', rule: '+monitor' },
    });
    const { items } = await server.context.store.audit({ limit: 1 });
    expect(items).toMatchObject([
      { action: 'trace.start', outcome: 'refused', code: 'CAPABILITY_MISSING' },
    ]);
    expect(await traces.list()).toEqual([]);
    const connections = async (): Promise<number> => {
      const names = String(await server.client.call('CLIENT', 'LIST'));
      return names.match(/name=lockscope/g)?.length ?? 0;
    };
    const before = await connections();
    const times = 10;
    for (let i = 0; i < times; i++) {
      await expect(
        runAction(server.as('admin'), 'trace.start', { target: TARGET, seconds: 1 }),
      ).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' });
    }
    // The console may have opened one for something else meanwhile, and not one each time.
    await until('none is left', async () => (await connections()) < before + times / 2);
  });

  it('all but what the README names, a trace needs MONITOR and nothing else', async () => {
    const readme = await readFile('README.md', 'utf8');
    const [, rules = ''] = /ACL SETUSER lockscope on >secret (.*)/.exec(readme) ?? [];
    server = await startServer({ acl: [...rules.split(' '), '+monitor'] });
    await server.client.call('ACL', 'LOG', 'RESET');
    const id = await traces.start();
    const { cost } = await until('it is measured', async () => {
      const now = await traces.get(id);
      return now.cost.outputBufferBytes === null ? null : now;
    });
    expect(cost.redisCpuShare).not.toBeNull();
    await traces.stopAll();
    expect(await server.client.call('ACL', 'LOG')).toEqual([]);
  });

  it('CLIENT and INFO, it runs without names, and what cannot be measured is not known', async () => {
    server = await startServer({ acl: ['~*', '&*', '+@all', '-client', '-info'] });
    await server.client.set('lock:x', 'a', 'NX');
    await server.lock('lock:x');
    const id = await traces.start();
    await server.client.set('lock:x', 'b', 'NX');
    const row = await traces.lock(id, 'lock:x', ({ failed }) => failed === 1);
    expect(row.attempts).toBe(1);
    const { cost, clients } = await traces.get(id);
    expect(cost).toMatchObject({ redisCpuShare: null, outputBufferBytes: null });
    expect(clients[0]?.name).toBeNull();
    await traces.stopAll();
  });
});
