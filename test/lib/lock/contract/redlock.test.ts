import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { rejection } from '@/test/support/lock-fleet/lock-world';
import { createRandom } from '@/test/support/lock-fleet/random';
import { startRedisProxy, type RedisProxy } from '@/test/support/lock-fleet/redis-proxy';
import { createResource } from '@/test/support/lock-fleet/resource';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let servers: TestRedis[] = [];
let proxies: RedisProxy[] = [];
let clients: LockClient[] = [];
let connections: Redis[] = [];

beforeEach(async () => {
  servers = await Promise.all([startRedis(), startRedis(), startRedis()]);
  proxies = await Promise.all(servers.map(async ({ port }) => await startRedisProxy(port)));
});
afterEach(async () => {
  for (const { pid } of servers) resume(pid);
  for (const connection of connections) connection.disconnect();
  await Promise.all(proxies.map(async (proxy) => await proxy.stop()));
  await Promise.all(servers.map(async (server) => await server.stop()));
  await Promise.all(clients.map(async (client) => await client.close()));
  clients = [];
  connections = [];
});

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // A server that a test has killed needs no waking.
  }
}

function redlock(options = {}): LockClient {
  const nodes = proxies.map(({ port }) => {
    const node = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 100 });
    node.on('error', () => {
      // Nodes go away on purpose here.
    });
    connections.push(node);
    return node;
  });
  const client = createLockClient({ nodes, allowInsecure: true, ttlMs: 10_000, ...options });
  clients.push(client);
  return client;
}

const admin = (index: number): Redis => {
  const redis = servers[index]?.client();
  if (!redis) throw new Error(`there is no node ${index}`);
  redis.on('error', () => {
    // As above.
  });
  return redis;
};

/** What makes one of three nodes useless. */
const FAULTS: [what: string, fault: (index: number) => Promise<void>][] = [
  ['is killed', async (index) => await servers[index]?.kill()],
  [
    'is paused',
    async (index) => {
      process.kill(servers[index]?.pid ?? 0, 'SIGSTOP');
    },
  ],
  ['is cut off by a network that swallows packets', async (index) => proxies[index]?.partition()],
];

describe('three independent nodes', () => {
  it('hold one lock: it stands on a majority, excludes, wakes and is gone on all', async () => {
    const [one, two] = [redlock(), redlock()];
    const lock = await one.acquire('x');
    const standing = await Promise.all([0, 1, 2].map(async (n) => await admin(n).exists(lock.key)));
    expect(standing.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(2);
    expect(await two.tryAcquire('x')).toBeNull();
    const waiting = two.acquire('x');
    await pause(100);
    await lock.release();
    const next = await waiting;
    expect(next.fence).toBeGreaterThan(lock.fence);
    await next.release();
    await until('it is gone on all', async () => {
      const left = await Promise.all([0, 1, 2].map(async (n) => await admin(n).exists(lock.key)));
      return left.every((count) => count === 0);
    });
  });

  it('renew it for as long as it is held', async () => {
    const lock = await redlock({ ttlMs: 3_000 }).acquire('x');
    let leftMs = await admin(0).pttl(lock.key);
    await until('it is renewed', async () => {
      const beforeMs = leftMs;
      leftMs = await admin(0).pttl(lock.key);
      return leftMs > beforeMs;
    });
    expect(lock.isHeld).toBe(true);
    expect(await redlock().tryAcquire('x')).toBeNull();
    await lock.release();
  });

  it('serve one another’s waiters: everybody enters, one at a time', async () => {
    const several = [redlock(), redlock(), redlock()];
    let inside = 0;
    let most = 0;
    let entered = 0;
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        await several[index % 3]?.using('x', { waitMs: 60_000 }, async () => {
          most = Math.max(most, ++inside);
          entered++;
          await pause(2);
          inside--;
        });
      }),
    );
    expect({ most, entered }).toEqual({ most: 1, entered: 30 });
  });
});

describe.each(FAULTS)('when one of three nodes %s', (_, fault) => {
  it('a held lock is kept, and let go', async () => {
    const lock = await redlock({ ttlMs: 4_000 }).acquire('x');
    await fault(0);
    await pause(4_500);
    expect(lock.isHeld).toBe(true);
    await lock.release();
    const next = await redlock().acquire('x', { waitMs: 60_000 });
    expect(next.fence).toBeGreaterThan(lock.fence);
    await next.release();
  });

  it('locks are still given, to one at a time, in clients that knew the node and in new ones', async () => {
    const known = redlock();
    await known.using('x', () => {});
    await fault(1);
    const fences = [await known.using('x', (lock) => lock.fence)];
    const fresh = redlock();
    fences.push(await fresh.using('x', { waitMs: 60_000 }, (lock) => lock.fence));
    const held = await known.acquire('x');
    expect(await fresh.tryAcquire('x')).toBeNull();
    const waiting = fresh.acquire('x', { waitMs: 60_000 });
    await pause(200);
    await held.release();
    const lock = await waiting;
    fences.push(held.fence, lock.fence);
    expect(fences.every((fence, n) => n === 0 || fence > (fences[n - 1] ?? 0))).toBe(true);
    await lock.release();
  });
});

describe('close()', () => {
  it('does not wait for ever for a node that is cut off', async () => {
    const client = redlock();
    await client.using('x', () => {});
    proxies[0]?.partition();
    let isClosed = false;
    void client.close().then(() => (isClosed = true));
    await until('it is closed', () => isClosed);
  });
});

describe('without a majority', () => {
  it('nobody gets the lock: the error says how many answered', async () => {
    const client = redlock();
    await client.using('x', () => {});
    await servers[0]?.kill();
    await servers[1]?.kill();
    expect(await rejection(client.acquire('x', { waitMs: 800 }))).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
      message: expect.stringMatching(/3/),
    });
  });

  it('a holder knows at its deadline at the latest', async () => {
    const lock = await redlock({ ttlMs: 3_000 }).acquire('x');
    proxies[0]?.partition();
    proxies[2]?.partition();
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.isHeld).toBe(false);
  });

  it('works again when the nodes come back', async () => {
    const client = redlock({ ttlMs: 800 });
    const first = await client.using('x', (lock) => lock.fence);
    proxies[0]?.partition();
    proxies[1]?.partition();
    await rejection(client.acquire('x', { waitMs: 500 }));
    proxies[0]?.heal();
    proxies[1]?.heal();
    const second = await client.using('x', { waitMs: 60_000 }, (lock) => lock.fence);
    expect(second).toBeGreaterThan(first);
  });
});

describe('a node that came back empty', () => {
  it('does not let in a second holder, and fences go on rising', async () => {
    const [one, two] = [redlock({ ttlMs: 60_000 }), redlock()];
    const lock = await one.acquire('x');
    const { port } = servers[2] ?? { port: 0 };
    await servers[2]?.kill();
    servers[2] = await startRedis({ port });
    expect(await two.tryAcquire('x')).toBeNull();
    await lock.release();
    const next = await two.acquire('x', { waitMs: 60_000 });
    expect(next.fence).toBeGreaterThan(lock.fence);
    await next.release();
  });
});

describe('nodes that are one server', () => {
  it('are refused by their run id', async () => {
    const ports = [servers[0]?.port ?? 0, servers[1]?.port ?? 0, proxies[0]?.port ?? 0];
    const nodes = ports.map((port) => new Redis({ port, host: '127.0.0.1' }));
    connections.push(...nodes);
    const client = createLockClient({ nodes, allowInsecure: true });
    clients.push(client);
    expect(await rejection(client.acquire('x', { waitMs: 60_000 }))).toMatchObject({
      code: 'NODES_NOT_INDEPENDENT',
    });
  });
});

describe('while nodes fail one after another', () => {
  it('no two holders overlap, as judged by fences', { timeout: 300_000 }, async () => {
    const judge = await startRedis({ flags: '' });
    const resource = createResource(judge.client());
    const random = createRandom(11);
    const several = [0, 1, 2].map(() => redlock({ ttlMs: 800 }));
    let isEnding = false;
    const work = several.flatMap((client, c) =>
      [0, 1].map(async (w) => {
        for (let n = 0; !isEnding; n++) {
          const id = `${c}/${w}#${n}`;
          try {
            await client.using('x', { waitMs: 5_000 }, async (lock) => {
              const hold = { id, fence: lock.fence, process: `${c}`, worker: `${c}/${w}` };
              for (const by of ['enter', 'leave'] as const) {
                if (!lock.isHeld) return;
                const answer = await resource[by]('x', hold);
                const isExcused = answer === 'older' && !lock.isHeld;
                if (answer !== 'accepted' && !isExcused) await resource.accuse(`${id}: ${answer}`);
              }
            });
          } catch (error) {
            const { code = String(error) } = error as { code?: string };
            if (!/TIMEOUT|LOST|QUORUM|UNREACHABLE/.test(code))
              await resource.accuse(`${id}: ${code}`);
          }
        }
      }),
    );
    for (let round = 0; round < 8 || (await resource.read()).sections <= 50; round++) {
      const index = random.between(0, 2);
      const pid = servers[index]?.pid ?? 0;
      if (random.isBelow(0.5)) {
        process.kill(pid, 'SIGSTOP');
        await pause(random.between(200, 1_500));
        process.kill(pid, 'SIGCONT');
      } else {
        proxies[index]?.partition();
        await pause(random.between(200, 1_500));
        proxies[index]?.heal();
      }
      await pause(300);
    }
    isEnding = true;
    await Promise.all(work);
    const record = await resource.read();
    await judge.stop();
    expect(record.accusations).toEqual([]);
    expect(record.sections).toBeGreaterThan(50);
  });
});
