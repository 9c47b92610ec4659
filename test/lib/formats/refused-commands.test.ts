import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { NOTHING_BESIDE, type RawValue } from '@/lib/formats/format';
import { dropWaiterScript } from '@/lib/formats/redisson-fair';
import { beside, hash, text, zset } from '@/test/support/raw-values';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const NOW = 1_800_000_000_000;
const A = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:2';
const NODE = 'b983c153-7421-469a-addb-44fb92259a1b:0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';
const OWN = '6fa459ea-ee8a-8ca4-894e-db77e160355e:1';
const DIGEST = 'uniquejobs:0123456789abcdef0123456789abcdef';
const [PERMIT, OTHER] = ['p'.repeat(16), 'q'.repeat(16)];
const lease = (reader: string): string => `{inv}:${reader}:rwlock_timeout:1`;

interface Script {
  lua: string;
  keys: string[];
  args: (string | number)[];
}

interface Case {
  setUp: (string | number)[][];
  script: () => Script;
}

const QUEUE = [
  ['RPUSH', 'redisson_lock_queue:{inv}', A, B],
  ['ZADD', 'redisson_lock_timeout:{inv}', 1, A, NOW * 2, B],
];

function release(id: string, key: string, seen: RawValue, near = NOTHING_BESIDE): Script {
  const script = formatTable.byId(id).release;
  if (!script) throw new Error(`${id} has no release`);
  return { lua: script.lua, ...script.arguments(key, seen, NOW, near) };
}

function wake(id: string, key: string): Script {
  const script = formatTable.byId(id).wake;
  if (!script) throw new Error(`${id} has no wake-up`);
  return { lua: script.lua, ...script.arguments(key, NOW) };
}

function remove(id: string, key: string, member: string, value: RawValue): Script {
  const script = formatTable.byId(id).removeMember;
  if (!script) throw new Error(`${id} removes nobody`);
  const seen = { value, beside: NOTHING_BESIDE, now: NOW };
  return { lua: script.lua, ...script.arguments(key, member, seen) };
}

const READERS = hash(['mode', 'read'], [A, '1'], [B, '1']);
const WRITER = hash(['mode', 'write'], [`${A}:write`, '1'], [A, '1']);
const PERMITS = {
  setUp: [
    ['SET', 'sem', '3'],
    ['ZADD', '{sem}:timeout', NOW, PERMIT, NOW, OTHER],
  ],
};
const OWN_LOCK = { setUp: [['HSET', 'inv', OWN, '1'], ...QUEUE] };

const CASES: Record<string, Case> = {
  'a release of Redisson with a dead head': {
    setUp: [['HSET', 'inv', B, '1'], ...QUEUE],
    script: () => release('redisson', 'inv', hash([B, '1'])),
  },
  'a release of node-redisson': {
    setUp: [['HSET', 'inv', NODE, '1']],
    script: () => release('node-redisson', 'inv', hash([NODE, '1'])),
  },
  'a release of readers': {
    setUp: [
      ['HSET', 'inv', 'mode', 'read', A, '1', B, '1'],
      ['SET', lease(A), '1'],
      ['SET', lease(B), '1'],
      ...QUEUE,
    ],
    script: () => release('redisson-read-write', 'inv', READERS),
  },
  'the removal of a reader': {
    setUp: [
      ['HSET', 'inv', 'mode', 'read', A, '1', B, '1'],
      ['SET', lease(A), '1'],
    ],
    script: () => remove('redisson-read-write', 'inv', A, READERS),
  },
  'the removal of the last reader': {
    setUp: [['HSET', 'inv', 'mode', 'read', A, '1'], ['SET', lease(A), '1'], ...QUEUE],
    script: () => remove('redisson-read-write', 'inv', A, hash(['mode', 'read'], [A, '1'])),
  },
  'the removal of a writer that reads as well': {
    setUp: [['HSET', 'inv', 'mode', 'write', `${A}:write`, '1', A, '1'], ...QUEUE],
    script: () => remove('redisson-read-write', 'inv', `${A}:write`, WRITER),
  },
  'a return of all permits': {
    ...PERMITS,
    script: () =>
      release(
        'redisson-permits',
        'sem',
        text('3'),
        beside({ '{sem}:timeout': zset([PERMIT, NOW], [OTHER, NOW]) }),
      ),
  },
  'the return of one permit': {
    ...PERMITS,
    script: () => remove('redisson-permits', 'sem', PERMIT, text('3')),
  },
  'a permit more': {
    setUp: [['SET', 'sem', '0']],
    script: () => release('redisson-semaphore', 'sem', text('0')),
  },
  'the drop of a waiter': {
    setUp: QUEUE,
    script: () => ({ lua: dropWaiterScript.lua, ...dropWaiterScript.arguments('inv', A, NOW) }),
  },
  'a wake-up behind a dead head': { setUp: QUEUE, script: () => wake('redisson', 'inv') },
  'a wake-up behind a dead head of our own': { setUp: QUEUE, script: () => wake('qoder', 'inv') },
  'a release of our own lock': {
    ...OWN_LOCK,
    script: () => release('qoder', 'inv', hash([OWN, '1'])),
  },
  'a release of our own readers': {
    setUp: [
      ['HSET', 'inv', 'mode', 'read', OWN, '1'],
      ['SET', `{inv}:${OWN}:rwlock_timeout:1`, '1'],
      ...QUEUE,
    ],
    script: () => release('qoder-read-write', 'inv', hash(['mode', 'read'], [OWN, '1'])),
  },
  'a release of our own semaphore': {
    setUp: [['ZADD', 'inv', NOW, OWN], ...QUEUE],
    script: () => release('qoder-semaphore', 'inv', zset([OWN, NOW])),
  },
  'a release of a unique job': {
    setUp: [
      ['SET', DIGEST, 'jid'],
      ['HSET', `${DIGEST}:LOCKED`, 'jid', '1'],
      ['ZADD', 'uniquejobs:digests', 1, DIGEST],
    ],
    script: () => release('sidekiq-unique-jobs', DIGEST, text('jid')),
  },
  'a release of a writer of Symfony': {
    setUp: [['ZADD', 'inv', NOW, 'me', NOW, '__write__']],
    script: () => release('symfony', 'inv', zset(['me', NOW], ['__write__', NOW])),
  },
};

/** What changes something, of all that a script may run. */
const writesOf = ({ lua }: Script): string[] => [
  ...new Set(
    [...lua.matchAll(/redis\.call\('([A-Z]+)'/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => /^(DEL|[ZSHL]REM|HDEL|LPOP|LPUSH|PEXPIRE|INCRBY|XADD|HSET)$/.test(name)),
  ),
];

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
afterAll(async () => await server.stop());
beforeEach(async () => void (await redis.flushall()));

/** All keys with their values. */
async function everything(): Promise<Record<string, string>> {
  // What is written in a stream wakes like a message: it goes out before anything has changed.
  const keys = (await redis.keys('*')).filter((key) => key !== 'redisson:events').toSorted();
  const dumps = await Promise.all(keys.map(async (key) => (await redis.dumpBuffer(key)) ?? ''));
  return Object.fromEntries(keys.map((key, i) => [key, String(dumps[i]?.toString('hex'))]));
}

async function setUp({ setUp: commands }: Case): Promise<void> {
  for (const [name = '', ...args] of commands) await redis.call(String(name), args);
}

describe.each(Object.entries(CASES))('%s', (_name, example) => {
  it('is done whole or, where one of its commands is forbidden, not at all', async () => {
    const { lua, keys, args } = example.script();
    await setUp(example);
    expect(await redis.eval(lua, keys.length, ...keys, ...args)).toEqual([1, expect.any(Number)]);
    let refused = 0;
    for (const command of writesOf(example.script())) {
      await redis.flushall();
      await setUp(example);
      const before = await everything();
      await redis.call('ACL', 'SETUSER', command, 'on', '>pw', '~*', '&*', '+@all', `-${command}`);
      const operator = server.client({ username: command, password: 'pw' });
      const answer = operator.eval(lua, keys.length, ...keys, ...args);
      const isRefused = await answer.then(
        () => false,
        () => true,
      );
      if (isRefused) {
        refused++;
        expect({ command, after: await everything() }).toEqual({ command, after: before });
      }
      operator.disconnect();
    }
    expect(refused).toBeGreaterThan(0);
  });
});
