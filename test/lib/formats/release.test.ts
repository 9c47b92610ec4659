import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue } from '@/lib/formats/format';
import { dropWaiterScript } from '@/lib/formats/redisson-fair';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const NOW = 1_800_000_000_000;
const A = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:2';
const C = '1b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:3';
const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));
const HOSTILE = [
  'lock:plain',
  `lock:${EVERY_BYTE}`,
  'lock:"quotes\' and ]] --[[ comment',
  'lock:\r\n*1\r\n$8\r\nFLUSHALL\r\n',
  `lock:${'x'.repeat(5000)}`,
  'lock:{tag}:[a*]?',
];

let server: TestRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
afterAll(async () => await server.stop());
beforeEach(async () => void (await redis.flushall()));
const listening: Redis[] = [];
afterEach(async () => {
  for (const client of listening.splice(0)) await client.quit();
});

const bin = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');
const call = async (command: string, ...args: (string | number)[]): Promise<unknown> =>
  await redis.callBuffer(
    command,
    args.map((arg) => bin(`${arg}`)),
  );

async function runScript(
  lua: string,
  { keys, args }: { keys: string[]; args: (string | number)[] },
): Promise<unknown> {
  const parts = [...keys, ...args].map((part) => bin(`${part}`));
  return await redis.callBuffer('EVAL', [bin(lua), keys.length, ...parts]);
}

async function release(id: string, key: string, seen: RawValue): Promise<unknown> {
  const script = formatTable.byId(id).release;
  if (!script) throw new Error(`${id} has no release`);
  return await runScript(script.lua, script.arguments(key, seen, NOW));
}

const text = (bytes: string): RawValue => ({
  type: 'string',
  bytes,
  size: bytes.length,
  truncated: false,
});
const hash = (...fields: [string, string][]): RawValue => ({
  type: 'hash',
  fields,
  size: fields.length,
  truncated: false,
});
const zset = (...members: [string, number][]): RawValue => ({
  type: 'zset',
  members,
  size: members.length,
  truncated: false,
});

async function listen(channel: string): Promise<{ messages: string[]; client: Redis }> {
  const client = server.client();
  const messages: string[] = [];
  client.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    messages.push(message.toString('latin1'));
  });
  await client.subscribe(channel);
  listening.push(client);
  return { messages, client };
}

describe.each(['pattern', 'redlock', 'redis-py', 'redis-semaphore-mutex', 'shedlock'])(
  'the release of %s',
  (id) => {
    it.each(HOSTILE)('deletes the key with the value that was seen (%#)', async (key) => {
      await call('SET', key, EVERY_BYTE);
      expect(await release(id, key, text(EVERY_BYTE))).toEqual([1, -1]);
      expect(await call('EXISTS', key)).toBe(0);
    });

    it('leaves another value, another type and nothing as they are', async () => {
      await call('SET', 'lock:x', 'B', 'PX', '60000');
      expect(await release(id, 'lock:x', text('A'))).toEqual([-1]);
      expect(await redis.get('lock:x')).toBe('B');
      await redis.del('lock:x');
      expect(await release(id, 'lock:x', text('A'))).toEqual([0]);
      await redis.rpush('lock:x', 'A');
      expect(await release(id, 'lock:x', text('A'))).toEqual([-1]);
      expect(await redis.lrange('lock:x', 0, -1)).toEqual(['A']);
    });
  },
);

describe.each(['redisson', 'redisson-fair', 'node-redisson'])('the release of %s', (id) => {
  it('reaches two waiting instances', async () => {
    const listeners = [
      await listen('redisson_lock__channel:{inv:9}'),
      await listen('redisson_lock__channel:{inv:9}'),
    ];
    await redis.hset('inv:9', A, '2');
    expect(await release(id, 'inv:9', hash([A, '2']))).toEqual([1, 2]);
    for (const { messages } of listeners) {
      await until('the message arrives', () => messages.length > 0);
      expect(messages).toEqual(['0']);
    }
    expect(await redis.exists('inv:9')).toBe(0);
  });

  it.each(HOSTILE)('compares every field as bytes (%#)', async (key) => {
    await call('HSET', key, EVERY_BYTE, '1');
    expect(await release(id, key, hash([`${EVERY_BYTE}x`, '1']))).toEqual([-1]);
    expect(await release(id, key, hash([EVERY_BYTE, '1']))).toEqual([1, 0]);
    expect(await call('EXISTS', key)).toBe(0);
  });

  it('changes and wakes nothing when holder, depth or number of holders differ', async () => {
    const { messages } = await listen('redisson_lock__channel:{inv}');
    await redis.hset('inv', B, '1');
    await redis.rpush('redisson_lock_queue:{inv}', C);
    await redis.zadd('redisson_lock_timeout:{inv}', NOW - 1, C);
    expect(await release(id, 'inv', hash([A, '1']))).toEqual([-1]);
    expect(await release(id, 'inv', hash([B, '2']))).toEqual([-1]);
    expect(await release(id, 'inv', hash([B, '1'], [A, '1']))).toEqual([-1]);
    expect(await redis.hgetall('inv')).toEqual({ [B]: '1' });
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([C]);
    await redis.publish('redisson_lock__channel:{inv}', 'end');
    await until('the probe arrives', () => messages.length > 0);
    expect(messages).toEqual(['end']);
  });

  it('says when the lock is gone', async () => {
    expect(await release(id, 'inv', hash([A, '1']))).toEqual([0]);
  });

  it('drops dead heads of the queue and wakes the first live waiter', async () => {
    const head = await listen(`redisson_lock__channel:{inv}:${C}`);
    await redis.hset('inv', A, '1');
    await redis.rpush('redisson_lock_queue:{inv}', B, C);
    await redis.zadd('redisson_lock_timeout:{inv}', `${NOW - 1}`, B, `${NOW + 300_000}`, C);
    expect(await release(id, 'inv', hash([A, '1']))).toEqual([1, 1]);
    await until('the head is woken', () => head.messages.length > 0);
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([C]);
    expect(await redis.zrange('redisson_lock_timeout:{inv}', '0', '-1')).toEqual([C]);
  });

  it('wakes both spellings of the channel', async () => {
    const java = await listen('redisson_lock__channel:a{b}');
    const node = await listen('redisson_lock__channel:{a{b}}');
    await redis.hset('a{b}', A, '1');
    expect(await release(id, 'a{b}', hash([A, '1']))).toEqual([1, 2]);
    await until('both are woken', () => java.messages.length && node.messages.length);
  });

  it('leaves the fencing counter alone', async () => {
    await redis.set('redisson_lock_token:{inv}', '41');
    await redis.hset('inv', A, '1');
    await release(id, 'inv', hash([A, '1']));
    expect(await redis.get('redisson_lock_token:{inv}')).toBe('41');
  });

  it('is not stopped by a companion of another type', async () => {
    await redis.set('redisson_lock_queue:{inv}', 'x');
    await redis.hset('inv', A, '1');
    expect(await release(id, 'inv', hash([A, '1']))).toEqual([1, 0]);
  });
});

describe('a refused wake-up', () => {
  it('leaves the lock as it was', async () => {
    await redis.call('ACL', 'SETUSER', 'op', 'on', '>pw', '~*', 'resetchannels', '+@all');
    const operator = server.client({ username: 'op', password: 'pw' });
    await redis.hset('inv', A, '1');
    const script = formatTable.byId('redisson').release;
    const { keys, args } = script?.arguments('inv', hash([A, '1']), NOW) ?? { keys: [], args: [] };
    await expect(operator.eval(script?.lua ?? '', keys.length, ...keys, ...args)).rejects.toThrow(
      /channel/i,
    );
    expect(await redis.hgetall('inv')).toEqual({ [A]: '1' });
  });
});

describe('the release of our own string locks', () => {
  it('compares the value', async () => {
    await redis.set('qoder:lock:a', 'i-1:t');
    expect(await release('qoder', 'qoder:lock:a', text('i-2:t'))).toEqual([-1]);
    expect(await release('qoder', 'qoder:lock:a', text('i-1:t'))).toEqual([1, -1]);
    expect(await release('qoder', 'qoder:lock:a', text('i-1:t'))).toEqual([0]);
  });
});

describe('the release of a semaphore', () => {
  it('removes the members seen and leaves others', async () => {
    const key = 'semaphore:x';
    await call('ZADD', key, '1', EVERY_BYTE, '2', 'two', '3', 'three');
    expect(await release('redis-semaphore', key, zset([EVERY_BYTE, 1], ['two', 9]))).toEqual([
      1, -1,
    ]);
    expect(await redis.zrange(key, '0', '-1')).toEqual(['three']);
  });

  it('removes none when one of them has gone', async () => {
    await redis.zadd('semaphore:x', 1, 'one');
    const seen = zset(['one', 1], ['two', 2]);
    expect(await release('redis-semaphore', 'semaphore:x', seen)).toEqual([-1]);
    expect(await redis.zcard('semaphore:x')).toBe(1);
    await redis.del('semaphore:x');
    expect(await release('redis-semaphore', 'semaphore:x', seen)).toEqual([0]);
  });
});

describe('dropping a waiter', () => {
  const drop = async (owner: string) =>
    await runScript(dropWaiterScript.lua, dropWaiterScript.arguments('inv', owner, NOW));

  it('takes it out of queue and deadlines and wakes the next live one', async () => {
    const next = await listen(`redisson_lock__channel:{inv}:${C}`);
    await redis.rpush('redisson_lock_queue:{inv}', A, B, C);
    const deadlines = [NOW + 1000, A, NOW - 1, B, NOW + 9000, C].map(String);
    await redis.zadd('redisson_lock_timeout:{inv}', ...deadlines);
    expect(await drop(A)).toEqual([1, 1]);
    await until('the next is woken', () => next.messages.length > 0);
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([B, C]);
    expect(await redis.zscore('redisson_lock_timeout:{inv}', A)).toBeNull();
  });

  it('of the last one empties the queue', async () => {
    await redis.rpush('redisson_lock_queue:{inv}', A);
    await redis.zadd('redisson_lock_timeout:{inv}', NOW, A);
    expect(await drop(A)).toEqual([1, 0]);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('that does not stand there changes nothing', async () => {
    await redis.rpush('redisson_lock_queue:{inv}', B);
    expect(await drop(A)).toEqual([0]);
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([B]);
    await redis.del('redisson_lock_queue:{inv}');
    expect(await drop(A)).toEqual([0]);
  });
});

describe('locks that must not be released from here', () => {
  it('have no script', () => {
    expect(formatTable.byId('bullmq')).toMatchObject({ release: null, readOnly: true });
  });
});
