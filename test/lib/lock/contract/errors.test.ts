import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createLockClient,
  isLockError,
  LockAcquisitionTimeoutException,
  type LockError,
  LockLostError,
  type LockClient,
  type LockErrorCode,
} from '@/lib/lock/index';
import { renderLockKey } from '@/lib/lock/template';
import { createLockWorld, rejection, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { startRedisProxy } from '@/test/support/lock-fleet/redis-proxy';
import { startRedis } from '@/test/support/redis-server';
import { freePort } from '@/test/support/free-port';
import { until } from '@/test/support/until';

let world: LockWorld;
const opened: { close: () => Promise<unknown> }[] = [];

beforeAll(async () => {
  world = await createLockWorld();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

function connect(port: number, options = {}): Redis {
  const redis = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 200, ...options });
  redis.on('error', () => {
    // The errors of these connections are what the lock client is asked about.
  });
  opened.push({ close: async () => redis.disconnect() });
  return redis;
}

function clientOn(redis: Redis, options: { allowInsecure?: boolean } = {}): LockClient {
  const client = createLockClient({ redis, allowInsecure: true, ...options });
  opened.unshift({ close: async () => await client.close() });
  return client;
}

async function ownRedis(options: Parameters<typeof startRedis>[0] = {}): Promise<number> {
  const redis = await startRedis(options);
  opened.push({ close: redis.stop });
  return redis.port;
}

interface Case {
  provoke: () => Promise<unknown>;
  /** What the sentence must name. */
  names: RegExp;
}

type ClientCode = Exclude<
  LockErrorCode,
  `STOCK_${string}` | `ORDER_${string}` | 'OUT_OF_STOCK' | 'CONTENT_REFUSED'
>;

const nodesOn = (ports: number[]): Redis[] => ports.map((port) => connect(port));

const CASES: Record<ClientCode, Case> = {
  ACQUISITION_TIMEOUT: {
    provoke: async () => {
      await world.client().acquire('busy');
      return await rejection(world.client().acquire('busy', { waitMs: 50 }));
    },
    names: /qoder:lock:busy.*/,
  },
  ABORTED: {
    provoke: async () => {
      await world.client().acquire('busy');
      const signal = AbortSignal.timeout(40);
      return await rejection(world.client().acquire('busy', { signal }));
    },
    names: /qoder:lock:busy/,
  },
  NOT_HELD: {
    provoke: async () => {
      const lock = await world.client().acquire('given-up');
      await lock.release();
      return await rejection(lock.extend());
    },
    names: /qoder:lock:given-up/,
  },
  LOST: {
    provoke: async () => {
      const lock = await world.client({ ttlMs: 200 }).acquire('taken');
      await world.admin.del(lock.key);
      await until('the loss is known', () => lock.signal.aborted);
      return await rejection(lock.release());
    },
    names: /qoder:lock:taken/,
  },
  EMPTY_KEY: {
    provoke: async () => await rejection(world.client().acquire('  ')),
    names: /empty/,
  },
  TEMPLATE_VARIABLE_MISSING: {
    provoke: async () =>
      await rejection(
        (async () => renderLockKey('order_sync:${event.order_no}', { event: { order_no: '' } }))(),
      ),
    names: /event\.order_no/,
  },
  BAD_OPTIONS: {
    provoke: async () => await rejection(world.client().acquire('x', { ttlMs: 99 })),
    names: /ttlMs.*99.*100/,
  },
  WRONG_TYPE: {
    provoke: async () => {
      await world.admin.set('qoder:lock:text', 'not a lock');
      return await rejection(world.client().acquire('text', { waitMs: 300 }));
    },
    names: /qoder:lock:text/,
  },
  RATE_LIMITED: {
    provoke: async () => {
      const client = world.client({ limits: { attemptsPerSecond: 2 } });
      const attempts = Array.from({ length: 20 }, async (_, n) => await client.tryAcquire(`n${n}`));
      const results = await Promise.allSettled(attempts);
      return results.find((result) => result.status === 'rejected')?.reason;
    },
    names: /2/,
  },
  QUORUM_NOT_REACHED: {
    provoke: async () => {
      const ports = [await ownRedis(), await freePort(), await freePort()];
      const nodes = nodesOn(ports);
      const client = createLockClient({ nodes, allowInsecure: true });
      opened.unshift({ close: async () => await client.close() });
      return await rejection(client.acquire('quorum', { waitMs: 800 }));
    },
    names: /qoder:lock:quorum|1 of 3/,
  },
  NODES_NOT_INDEPENDENT: {
    provoke: async () => {
      const ports = [await ownRedis(), await ownRedis()];
      const nodes = nodesOn([...ports, ports[0] ?? 0]);
      const client = createLockClient({ nodes, allowInsecure: true });
      opened.unshift({ close: async () => await client.close() });
      return await rejection(client.acquire('twins', { waitMs: 800 }));
    },
    names: /127\.0\.0\.1|run.?id|same/,
  },
  REDIS_TOO_OLD: {
    provoke: async () => {
      const [, version = ''] = /redis_version:(\S+)/.exec(await world.admin.info('server')) ?? [];
      const older = `6${version.slice(1)}`;
      const rewrite: [string, string] = [`redis_version:${version}`, `redis_version:${older}`];
      const proxy = await startRedisProxy(world.redis.port, { rewrite });
      opened.push({ close: proxy.stop });
      return await rejection(clientOn(connect(proxy.port)).acquire('x', { waitMs: 500 }));
    },
    names: /6\.\d+\.\d+.*7\.0/,
  },
  REDIS_WITHOUT_ACCESS_CONTROL: {
    provoke: async () => {
      const client = clientOn(connect(world.redis.port), { allowInsecure: false });
      return await rejection(client.acquire('x', { waitMs: 500 }));
    },
    names: /requirepass|ACL/,
  },
  REDIS_FORBIDS: {
    provoke: async () => {
      const port = await ownRedis();
      await connect(port).call(
        'ACL',
        'SETUSER',
        'weak',
        'on',
        '>pass',
        '~*',
        '&*',
        '+@read',
        '+info',
      );
      const redis = connect(port, { username: 'weak', password: 'pass' });
      return await rejection(clientOn(redis).acquire('x', { waitMs: 500 }));
    },
    names: /permission|NOPERM/i,
  },
  REDIS_UNREACHABLE: {
    provoke: async () => {
      const redis = connect(await freePort(), { maxRetriesPerRequest: 1 });
      return await rejection(clientOn(redis).acquire('x', { waitMs: 800 }));
    },
    names: /reach/,
  },
  REDIS_ERROR: {
    provoke: async () => {
      const port = await ownRedis({
        args: ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'],
      });
      const admin = connect(port);
      await admin.set('filler', 'x'.repeat(1_000_000)).catch(() => {});
      await admin.set('filler2', 'x'.repeat(100_000)).catch(() => {});
      return await rejection(clientOn(connect(port)).acquire('x', { waitMs: 500 }));
    },
    names: /OOM|memory/,
  },
  CLIENT_CLOSED: {
    provoke: async () => {
      const client = world.client();
      await client.close();
      return await rejection(client.acquire('x'));
    },
    names: /close/,
  },
};

describe('an error with the code', () => {
  it.each(Object.entries(CASES))('%s says what it is about', async (code, { provoke, names }) => {
    const error = await provoke();
    expect(error).toMatchObject({ code });
    expect(isLockError(error)).toBe(true);
    const { message, fields } = error as LockError;
    expect(message).toMatch(names);
    expect(message).toMatch(/\.$/);
    expect(message).not.toMatch(/undefined|NaN|\[object/);
    expect(JSON.stringify(fields)).toMatch(/^\{/);
  });
});

describe('errors', () => {
  it('carry the fields that are documented', async () => {
    const client = world.client();
    const holder = await world.client().acquire('fields');
    const timeout = await rejection(client.acquire('fields', { waitMs: 60 }));
    expect(timeout).toBeInstanceOf(LockAcquisitionTimeoutException);
    expect((timeout as LockError).fields).toEqual({
      key: holder.key,
      owner: expect.stringMatching(new RegExp(`^${client.instance}:\\d+$`)),
      holder: holder.owner,
      waitedMs: expect.any(Number),
      waitMs: 60,
    });
  });

  it('are told by their code, whatever copy of the module made them', () => {
    const twin = Object.assign(new Error('x'), { code: 'LOST', fields: {} });
    expect(isLockError(twin)).toBe(true);
    expect(isLockError(new Error('x'))).toBe(false);
    expect(isLockError(null)).toBe(false);
    expect(new LockLostError('x', {})).toMatchObject({ name: 'LockLostError', code: 'LOST' });
  });

  it('of a WRONGTYPE leave what stands there alone', async () => {
    await world.admin.rpush('qoder:lock:list', 'a', 'b');
    await rejection(world.client().acquire('list', { waitMs: 100 }));
    expect(await world.admin.lrange('qoder:lock:list', 0, -1)).toEqual(['a', 'b']);
  });
});

const BAD: [what: string, options: Record<string, unknown>, names: RegExp][] = [
  ['a lease that is too short', { ttlMs: 99 }, /ttlMs/],
  ['a lease that is no number', { ttlMs: Number.NaN }, /ttlMs/],
  ['an endless lease', { ttlMs: Infinity }, /ttlMs/],
  ['a lease in words', { ttlMs: '1000' }, /ttlMs/],
  ['a negative wait', { waitMs: -1 }, /waitMs/],
  ['a wait that is no number', { waitMs: Number.NaN }, /waitMs is NaN/],
  ['an option that there is not', { timeout: 5 }, /timeout/],
  ['fair that is neither true nor false', { fair: 'yes' }, /fair/],
  ['a business id that is no text', { businessId: 7 }, /businessId/],
];

describe('bad options', () => {
  it.each(BAD)('of an acquire: %s is refused by name', async (_, options, names) => {
    const client = world.client();
    const error = await rejection(client.acquire('x', options));
    expect(error).toMatchObject({ code: 'BAD_OPTIONS', message: expect.stringMatching(names) });
    expect(await world.admin.exists('qoder:lock:x')).toBe(0);
  });

  it.each([42, {}, true])('of an acquire: the name %o is refused as no text', async (name) => {
    const client = world.client();
    const error = await rejection(client.acquire(name as never));
    expect(error).toMatchObject({ code: 'BAD_OPTIONS', fields: { option: 'name' } });
  });

  it('of a client are refused by name when it is made', () => {
    const redis = connect(world.redis.port);
    const make = (options: object) => () => createLockClient({ redis, ...options });
    for (const [options, names] of [
      [{ ttlMs: 5 }, /ttlMs/],
      [{ redis: undefined }, /redis.*nodes|nodes.*redis/],
      [{ nodes: [redis, redis, redis] }, /redis.*nodes|nodes.*redis/],
      [{ redis: undefined, nodes: [redis, redis] }, /nodes/],
      [{ reports: 'some' }, /reports/],
      [{ namespace: 'a:b' }, /namespace/],
      [{ limits: { attemptsPerSecond: 0 } }, /attemptsPerSecond/],
      [{ limits: { attemptsPerSecond: Infinity } }, /attemptsPerSecond is Infinity/],
      [{ limits: { namespaceAttemptsPerSecond: -1 } }, /namespaceAttemptsPerSecond/],
      [{ adaptiveLease: { minMs: 50, maxMs: 1_000 } }, /minMs/],
      [{ adaptiveLease: { minMs: 100.5, maxMs: 1_000 } }, /minMs/],
      [{ limits: { perSecond: 5 } }, /no option limits\.perSecond; there are attemptsPerSecond/],
      [{ adaptiveLease: { minMs: 5_000 } }, /adaptiveLease\.maxMs/],
      [{ adaptiveLease: { minMs: 5_000, maxMs: 1_000 } }, /minMs/],
      [{ ttl: 1_000 }, /ttl/],
    ] as const) {
      expect(make(options)).toThrow(
        expect.objectContaining({ code: 'BAD_OPTIONS', message: expect.stringMatching(names) }),
      );
    }
  });
});
