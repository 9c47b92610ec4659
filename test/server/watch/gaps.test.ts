import { spawnSync } from 'node:child_process';
import type { Redis } from 'ioredis';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '@/test/support/free-port';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { ownConnections, watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let started: Watching[] = [];

async function begin(overrides: Parameters<typeof watchOf>[1] = {}): Promise<Watching> {
  const watching = watchOf(server, overrides);
  started.push(watching);
  await watching.watch.start();
  await until('ready', () => watching.watch.ready);
  return watching;
}

const gaps = (watching: Watching) => watching.watch.status().nodes[0]?.gaps ?? [];

/** What kinds of observation came, in order, from the `from`-th on; repeats once. */
function order(watching: Watching, from: number): string[] {
  const words = watching.seen
    .slice(from)
    .map((o) => (o.kind === 'connection' ? `connection ${o.connected}` : o.kind));
  return words.filter((word, i) => word !== words[i - 1]);
}

beforeEach(async () => {
  server = await startRedis({ flags: 'KEAn' });
  redis = server.client();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((each) => each.watch.stop()));
  await server.stop();
});

describe('a lost event connection', () => {
  it('is a gap, after which everything known is read again', async () => {
    await redis.set('lock:g1', 'a', 'PX', 60_000);
    const watching = await begin();
    watching.watch.setReconcile((limit) => [{ db: 0, key: 'lock:g1' }].slice(0, limit));
    const before = watching.seen.length;
    const cutFrom = Date.now();
    await redis
      .multi()
      .client('KILL', 'TYPE', 'PUBSUB')
      .del('lock:g1')
      .set('lock:g2', 't', 'PX', 60_000)
      .exec();
    const cutBefore = Date.now();
    await until('the gap is known', () => watching.of('gap').length === 1);
    const [gap] = watching.of('gap');
    expect(gap).toMatchObject({ reason: 'connection-lost', serverRestarted: false });
    expect(gap?.from).toBeLessThanOrEqual(cutBefore);
    expect(gap?.to).toBeGreaterThanOrEqual(cutFrom);
    await until('g1 is read', () => watching.reads('lock:g1').at(-1)?.value === null);
    await until('g2 is found', () => watching.reads('lock:g2').length > 0);
    expect(watching.reads('lock:g1').at(-1)?.cause).toBe('resync');
    expect(watching.reads('lock:g2')[0]?.cause).toBe('resync');
    expect(watching.events('lock:g2')).toEqual([]);
    expect(order(watching, before).slice(0, 3)).toEqual([
      'connection false',
      'connection true',
      'gap',
    ]);
    expect(gaps(watching)).toMatchObject([{ reason: 'connection-lost', to: gap?.to }]);
    await redis.set('lock:g3', 'x');
    await until('events flow again', () => watching.events('lock:g3').length > 0);
  });

  it('is one recorded gap for each of many cuts, none silent', async () => {
    const watching = await begin();
    for (let i = 1; i <= 30; i++) {
      await redis.multi().client('KILL', 'TYPE', 'PUBSUB').set('lock:cut', String(i)).exec();
      await until('the gap ended', () => watching.of('gap').length === i);
      await until('the truth is read', () => watching.story('lock:cut').includes(`=${i}`));
    }
    expect(gaps(watching)).toHaveLength(30);
    expect(gaps(watching).map(({ reason }) => reason)).not.toContain('canary-lost');
  });

  it('rejects questions while it lasts, and tells of a restart', async () => {
    const watching = await begin();
    const { port } = server;
    await server.kill();
    await until('down', () => watching.watch.status().nodes[0]?.connected === false);
    await expect(watching.watch.readNow({ db: 0, key: 'lock:a' })).rejects.toMatchObject({
      code: 'TARGET_UNAVAILABLE',
    });
    expect(gaps(watching)).toMatchObject([{ to: null }]);
    expect(watching.watch.status().warnings[0]?.message).toContain('is down');
    const again = await startRedis({ flags: 'KEAn', port });
    try {
      await until('back', () => watching.of('gap').length === 1);
      expect(watching.of('gap')[0]).toMatchObject({
        reason: 'server-restarted',
        serverRestarted: true,
      });
      await again.client().set('lock:after', 'x');
      await until('events', () => watching.events('lock:after').length > 0);
      await until('no warning is left', () => watching.watch.status().warnings.length === 0);
    } finally {
      await watching.watch.stop();
      await again.stop();
    }
  });

  it('is recognised as a cut buffer when we read too slowly', async () => {
    const watching = await begin();
    await redis.config('SET', 'client-output-buffer-limit', 'pubsub 1mb 0 0');
    // Two events of different length: messages that all fill the buffers evenly are cut between two of them.
    // This process reads nothing at all until the other one has written all.
    spawnSync('redis-benchmark', [
      ...['-p', String(server.port), '-q', '-n', '400000', '-P', '32', '-r', '50'],
      ...['SET', 'lock:flood:__rand_int__', 'x', 'EX', '1000'],
    ]);
    await until('the gap ended', () => watching.of('gap').length > 0);
    expect(watching.of('gap')[0]?.reason).toBe('buffer-cut');
    const cut = watching.watch.status().warnings.find(({ code }) => code === 'buffer-cut');
    expect(cut?.remedy).toContain('client-output-buffer-limit');
    await until('all are read again', () =>
      Array.from({ length: 50 }, (_, i) => `lock:flood:${String(i).padStart(12, '0')}`).every(
        (key) => watching.reads(key).at(-1)?.cause === 'resync',
      ),
    );
  });
});

describe('a question that is under way when Redis is lost', () => {
  const asked = async (watching: Watching): Promise<string> => {
    const answer = watching.watch.readNow({ db: 0, key: 'lock:asked' });
    return await answer.then(
      () => 'answered',
      (error: { code?: string }) => error.code ?? 'no code',
    );
  };

  it.each(['script', 'plain commands'])('is rejected when it is read by %s', async (means) => {
    const rules = means === 'script' ? [] : ['-eval', '-eval_ro', '-evalsha', '-evalsha_ro'];
    await redis.acl('SETUSER', 'asker', 'on', '>asks', '~*', '&*', '+@all', ...rules);
    await redis.set('lock:asked', 'a', 'PX', 60_000);
    const watching = await begin({ url: `redis://asker:asks@127.0.0.1:${server.port}/0` });
    expect(await asked(watching)).toBe('answered');
    process.kill(server.pid, 'SIGSTOP');
    const question = asked(watching);
    // The question has left this process before the connection ends.
    await pause(50);
    await server.kill();
    expect(await question).toBe('TARGET_UNAVAILABLE');
  });

  it('is rejected when Redis hangs, and answered again when it goes on', async () => {
    await redis.set('lock:asked', 'a', 'PX', 60_000);
    const watching = await begin();
    process.kill(server.pid, 'SIGSTOP');
    expect(await asked(watching)).toBe('TARGET_UNAVAILABLE');
    process.kill(server.pid, 'SIGCONT');
    await until('answered', async () => (await asked(watching)) === 'answered');
  });
});

describe('a connection that stays open and is silent', () => {
  let proxy: Server;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  it('is given up after three seconds and is a gap', async () => {
    let frozen = false;
    const port = await freePort();
    proxy = createServer((near) => {
      const far = connect(server.port, '127.0.0.1');
      sockets.push(near, far);
      near.on('data', (data) => far.write(data));
      const mine = frozen;
      far.on('data', (data) => {
        if (!frozen || mine) near.write(data);
      });
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      near.on('error', () => undefined);
      far.on('error', () => undefined);
    }).listen(port, '127.0.0.1');
    const watching = await begin({ url: `redis://127.0.0.1:${port}/0` });
    frozen = true;
    await redis.set('lock:silent', 'x');
    await until('lost', () => watching.of('connection').at(-1)?.connected === false);
    await until('back', () => watching.of('gap').length > 0);
    expect(watching.of('gap')[0]?.reason).toBe('canary-lost');
    await until('read again', () => watching.reads('lock:silent').length > 0);
  });
});

describe('what makes no event', () => {
  it.each(['FLUSHDB', 'SWAPDB 0 1'])('such as %s is noticed all the same', async (command) => {
    const keys = Array.from({ length: 40 }, (_, i) => ({ db: 0, key: `lock:${i}` }));
    for (const { key } of keys) await redis.set(key, 'a', 'PX', 600_000);
    for (let i = 0; i < 40; i++) await redis.set(`cache:${i}`, 'x');
    const watching = await begin();
    const absent = new Set<string>();
    watching.watch.onObservations((observations) => {
      for (const o of observations) if (o.kind === 'read' && o.value === null) absent.add(o.key);
    });
    watching.watch.setReconcile((limit) => keys.slice(0, limit));
    const [name = '', ...args] = command.split(' ');
    await redis.call(name, args);
    await until('all are found absent', () => absent.size === keys.length);
  });
});

describe('stopping', () => {
  it('leaves no connection even while Redis cannot be reached, nor after a loss', async () => {
    const watching = await begin();
    await redis.client('KILL', 'TYPE', 'PUBSUB');
    await watching.watch.stop();
    await until('none', async () => (await ownConnections(redis)).length === 0);
    const seen = watching.seen.length;
    await redis.set('lock:late', 'x');
    expect(watching.seen.length).toBe(seen);
  });
});
