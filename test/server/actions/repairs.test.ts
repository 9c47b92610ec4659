import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import type { AuditEntry } from '@/lib/protocol/audit';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import {
  addressOf,
  startServer,
  TARGET,
  type TestServer,
} from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

const READER = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const OTHER = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:7';
const PY = 'QUJDREVGR0hJSktMTU5PUFFS';
const reason = 'the holder crashed';

let server: TestServer;
let redis: Redis;
beforeAll(async () => {
  server = await startServer();
  redis = server.client;
});
afterAll(() => server.stop());

let running: Redis[] = [];
afterEach(async () => {
  for (const client of running) client.disconnect();
  running = [];
  await redis.flushall();
});

const client = (): Redis => {
  const opened = server.redis.client();
  running.push(opened);
  return opened;
};

const auditOf = async (key: string): Promise<AuditEntry[]> =>
  (await server.context.store.audit({ limit: 50, key })).items;

const operator = () => server.as('operator');
const wake = (key: string, context = operator()) =>
  runAction(context, 'lock.wake', { ...addressOf(key), reason });

/** Two readers inside, each with the key of its own lease. */
async function twoReaders(key: string): Promise<void> {
  await redis
    .multi()
    .hset(key, 'mode', 'read', READER, 1, OTHER, 1)
    .set(`{${key}}:${READER}:rwlock_timeout:1`, 1, 'PX', 60_000)
    .set(`{${key}}:${OTHER}:rwlock_timeout:1`, 1, 'PX', 60_000)
    .pexpire(key, 60_000)
    .exec();
}

describe('waking the waiters of a free lock', () => {
  it('heals a waiter of python-redis-lock that is blocked after a lapse, and is audited', async () => {
    await redis.set('lock:py', PY, 'PX', 60_000);
    // Whose it was is known by its value alone.
    await server.lock('lock:py');
    await redis.pexpire('lock:py', 200);
    const woken = client().blpop('lock-signal:py', 0);
    await server.lock('lock:py', ({ state, lastEnd }) => state === 'free' && lastEnd !== null);
    const { repairs } = await server.lock('lock:py', () => true);
    expect(repairs).toEqual([{ kind: 'wake' }]);
    const result = await wake('lock:py');
    expect(result).toEqual({ outcome: 'woken', wokeWaiters: null });
    expect(await woken).toEqual(['lock-signal:py', '1']);
    const [done, requested] = await auditOf('lock:py');
    expect(requested).toMatchObject({ outcome: 'requested', action: 'lock.wake', reason });
    expect(done).toMatchObject({ outcome: 'done', actor: 'operator@example.org' });
  });

  it('reaches those who listen for a Redisson lock that vanished', async () => {
    await redis.hset('inv:gone', READER, 1);
    await server.lock('inv:gone');
    const received: string[] = [];
    for (const listener of [client(), client()]) {
      await listener.subscribe('redisson_lock__channel:{inv:gone}');
      listener.on('message', (_channel, message) => received.push(message));
    }
    await redis.del('inv:gone');
    await server.lock('inv:gone', ({ state }) => state === 'free');
    expect(await wake('inv:gone')).toMatchObject({ outcome: 'woken', wokeWaiters: 2 });
    await until('both are woken', () => received.length === 2);
    expect(received).toEqual(['0', '0']);
  });

  it('wakes the next of a fair queue whose lock is gone', async () => {
    const now = Date.now();
    const listener = client();
    const received: string[] = [];
    await listener.subscribe(`redisson_lock__channel:{inv:fair}:${OTHER}`);
    listener.on('message', (_channel, message) => received.push(message));
    await redis
      .multi()
      .rpush('redisson_lock_queue:{inv:fair}', OTHER)
      .zadd('redisson_lock_timeout:{inv:fair}', now + 60_000, OTHER)
      .exec();
    await server.lock('inv:fair', ({ state }) => state === 'orphan-queue');
    expect(await wake('inv:fair')).toMatchObject({ outcome: 'woken', wokeWaiters: 1 });
    await until('it is woken', () => received.length === 1);
  });

  it('is refused while somebody holds the lock, and names who', async () => {
    await redis.hset('inv:held', READER, 1);
    const { repairs } = await server.lock('inv:held');
    expect(repairs?.find(({ kind }) => kind === 'wake')?.because).toMatchObject([
      { id: 'wake:held', values: { owner: READER } },
    ]);
    const refused = wake('inv:held');
    await expect(refused).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(READER),
      details: { holder: READER },
    });
    expect((await auditOf('inv:held'))[0]).toMatchObject({ outcome: 'refused', code: 'CONFLICT' });
  });

  it('is refused inside Redis where somebody took the lock after it was looked at', async () => {
    await redis.hset('inv:raced', READER, 1);
    await server.lock('inv:raced');
    await redis.del('inv:raced');
    await server.lock('inv:raced', ({ state }) => state === 'free');
    const context = operator();
    const { watch } = context;
    // Between the look and the script another client is quicker.
    const readNow: typeof watch.readNow = async (ref) => {
      const read = await watch.readNow(ref);
      await redis.hset('inv:raced', OTHER, 1);
      return read;
    };
    const raced = wake('inv:raced', { ...context, watch: { ...watch, readNow } });
    await expect(raced).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await redis.hgetall('inv:raced')).toEqual({ [OTHER]: '1' });
  });

  it('is refused where nobody listens, and where its library can wake nobody', async () => {
    await redis.hset('inv:alone', READER, 1);
    await server.lock('inv:alone');
    await redis.del('inv:alone');
    await server.lock('inv:alone', ({ state }) => state === 'free');
    await expect(wake('inv:alone')).rejects.toMatchObject({ code: 'CONFLICT' });
    await redis.set('mutex:polled', OTHER.slice(0, 36), 'PX', 60_000);
    const { repairs } = await server.lock('mutex:polled');
    expect(repairs).toBeUndefined();
    await expect(wake('mutex:polled')).rejects.toMatchObject({ code: 'READ_ONLY_FORMAT' });
  });
});

describe('a release', () => {
  it('pushes the signal for a waiter of python-redis-lock, which a bare delete does not', async () => {
    await redis.set('lock:blocked', PY, 'PX', 60_000);
    const { hold } = await server.lock('lock:blocked');
    const waiter = client();
    let isWoken = false;
    const woken = waiter.blpop('lock-signal:blocked', 0);
    void woken.then(
      () => (isWoken = true),
      () => undefined,
    );
    await redis.del('lock:blocked');
    await server.lock('lock:blocked', ({ state }) => state === 'free');
    expect(isWoken).toBe(false);
    await redis.set('lock:blocked', PY, 'PX', 60_000);
    const again = await server.lock(
      'lock:blocked',
      (lock) => lock.hold?.owner.id === PY && lock.hold.version !== hold?.version,
    );
    const input = { ...addressOf('lock:blocked'), version: again.hold?.version, reason };
    const released = await runAction(operator(), 'lock.release', input);
    expect(await woken).toEqual(['lock-signal:blocked', '1']);
    expect(released).toMatchObject({ outcome: 'released', holderNoticed: 'unknown' });
  });

  it('tells whether the old holder has noticed, where what it does tells', async () => {
    const value = '11111111-2222-4333-8444-555555555555';
    const leaseMs = 60_000;
    const renew = (key: string) => redis.set(key, value, 'PX', leaseMs);
    const release = async (key: string, context = operator()): Promise<unknown> => {
      const { hold } = await server.lock(key, (lock) => lock.hold?.renewalIntervalMs != null);
      const input = { ...addressOf(key), version: hold?.version, reason };
      return await runAction(context, 'lock.release', input);
    };
    const stubborn = setInterval(() => void renew('redlock:stubborn'), 200);
    // A clock that stands: its next renewal is waited for, however late the machine is.
    const at = Date.now();
    expect(await release('redlock:stubborn', { ...operator(), now: () => at })).toMatchObject({
      ...{ cameBack: true, holderNoticed: 'came-back' },
    });
    clearInterval(stubborn);
    await runAction(operator(), 'format.pin', {
      ...{ target: TARGET, pattern: 'redlock:quiet', format: 'redlock-net', reason: 'it is .NET' },
    });
    await redis.set('redlock:quiet', value, 'PX', leaseMs);
    const quiet = setInterval(() => void redis.pexpire('redlock:quiet', leaseMs), 200);
    await server.lock('redlock:quiet', (lock) => lock.hold?.renewalIntervalMs != null);
    clearInterval(quiet);
    expect(await release('redlock:quiet')).toMatchObject({
      ...{ cameBack: false, holderNoticed: 'stopped-renewing' },
    });
  });
});

describe('taking one reader out', () => {
  const remove = (key: string, member: string, version: string | undefined, context = operator()) =>
    runAction(context, 'lock.remove-member', { ...addressOf(key), member, version, reason });

  it('leaves the other inside, ends the hold of the one, and is audited', async () => {
    await twoReaders('inv:rw');
    const lock = await server.lock('inv:rw', ({ members }) => members.length === 2);
    expect(lock.repairs).toContainEqual({ kind: 'remove-member' });
    const listener = client();
    await listener.subscribe('redisson_rwlock:{inv:rw}');
    const dead = lock.hold?.owner.id ?? '';
    const alive = dead === READER ? OTHER : READER;
    const result = await remove('inv:rw', dead, lock.hold?.version);
    expect(result).toMatchObject({ outcome: 'removed' });
    const after = await server.lock('inv:rw', ({ members }) => members.length === 1);
    expect(after.members[0]?.id).toBe(alive);
    expect(after.hold?.owner.id).toBe(alive);
    expect(await redis.hgetall('inv:rw')).toEqual({ mode: 'read', [alive]: '1' });
    expect(after.lastEnd).toMatchObject({ owner: dead, reason: 'force-released' });
    const [done, requested] = await auditOf('inv:rw');
    expect(requested).toMatchObject({ outcome: 'requested', action: 'lock.remove-member' });
    expect(done).toMatchObject({ outcome: 'done', after: { removed: dead } });
  });

  it('takes the other one too, although the first stands for the hold', async () => {
    await twoReaders('inv:rw2');
    const lock = await server.lock('inv:rw2', ({ members }) => members.length === 2);
    const shown = lock.hold?.owner.id ?? '';
    const second = shown === READER ? OTHER : READER;
    await remove('inv:rw2', second, lock.hold?.version);
    const after = await server.lock('inv:rw2', ({ members }) => members.length === 1);
    expect(after.hold).toMatchObject({ owner: { id: shown }, generation: lock.hold?.generation });
  });

  it('frees the lock with the last reader, and wakes who waits', async () => {
    await twoReaders('inv:rw3');
    const both = await server.lock('inv:rw3', ({ members }) => members.length === 2);
    const first = both.hold?.owner.id ?? '';
    await remove('inv:rw3', first, both.hold?.version);
    const listener = client();
    await listener.subscribe('redisson_rwlock:{inv:rw3}');
    const one = await server.lock('inv:rw3', ({ members }) => members.length === 1);
    const last = await remove('inv:rw3', one.members[0]?.id ?? '', one.hold?.version);
    expect(last).toEqual({ outcome: 'removed', wokeWaiters: 1 });
    expect(await redis.exists('inv:rw3')).toBe(0);
  });

  it('is refused of one who has left, of another hold, and of what has one holder only', async () => {
    await twoReaders('inv:rw4');
    const lock = await server.lock('inv:rw4', ({ members }) => members.length === 2);
    const version = lock.hold?.version;
    const nobody = '11111111-2222-3333-4444-555555555555:9';
    await expect(remove('inv:rw4', nobody, version)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(remove('inv:rw4', READER, '99.0000')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(remove('inv:rw4', READER, 'x')).rejects.toMatchObject({ code: 'CONFLICT' });
    await redis.set('lock:one', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:one');
    await expect(remove('lock:one', 'tok', hold?.version)).rejects.toMatchObject({
      code: 'READ_ONLY_FORMAT',
    });
    expect(await redis.hlen('inv:rw4')).toBe(3);
  });

  it('names a member by its printable id, whatever bytes it has, and by nothing that only looks so', async () => {
    const member = '"><img src=x onerror=alert(1)>';
    const input = { ...addressOf('inv:rw5'), member, version: '1.x', reason };
    await twoReaders('inv:rw5');
    await server.lock('inv:rw5', ({ members }) => members.length === 2);
    for (const given of [{ ...input, member: 'mode' }, { ...input, member: '__proto__' }, input]) {
      await expect(runAction(operator(), 'lock.remove-member', given)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    await expect(
      runAction(operator(), 'lock.remove-member', { ...input, member: '' }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await redis.hget('inv:rw5', 'mode')).toBe('read');
  });
});

describe('one permit of a semaphore', () => {
  it('is taken back, and the others stay', async () => {
    const now = Date.now();
    const [a, b] = [READER.slice(0, 36), OTHER.slice(0, 36)];
    await redis.zadd('semaphore:pool', now, a);
    await redis.zadd('semaphore:pool', now, b);
    await redis.pexpire('semaphore:pool', 60_000);
    const lock = await server.lock('semaphore:pool', ({ members }) => members.length === 2);
    const input = {
      ...addressOf('semaphore:pool'),
      member: a,
      version: lock.hold?.version,
      reason,
    };
    await runAction(operator(), 'lock.remove-member', input);
    expect(await redis.zrange('semaphore:pool', '0', '-1')).toEqual([b]);
  });
});

describe('more permits than are read', () => {
  it('are not released, as those that were not seen would stay taken', async () => {
    const key = 'inv:many:permitexpirablesemaphore';
    const deadline = Date.now() + 60_000;
    const taken = Array.from({ length: 300 }, (_, i) => [deadline, `${i}`.padStart(16, '0')]);
    await redis
      .multi()
      .zadd(`{${key}}:timeout`, ...taken.flat())
      .set(key, 1)
      .exec();
    const lock = await server.lock(key, ({ permits }) => permits?.total === 301);
    expect(lock.commands.map(({ purpose }) => purpose)).not.toContain('release');
    const input = { ...addressOf(key), version: lock.hold?.version, reason };
    await expect(runAction(operator(), 'lock.release', input)).rejects.toMatchObject({
      code: 'TOO_MANY',
    });
    expect(await redis.zcard(`{${key}}:timeout`)).toBe(300);
  });
});

describe('a permit whose id is bytes', () => {
  it('is taken back by its printable id, and gives its place free', async () => {
    const id = Buffer.from('00ff0a0d225c3c3e27202f7b7d5be9fe', 'hex');
    const other = Buffer.alloc(16, 7);
    const key = 'inv:shop:permitexpirablesemaphore';
    const deadline = Date.now() + 60_000;
    await redis
      .multi()
      .zadd(`{${key}}:timeout`, deadline, id)
      .zadd(`{${key}}:timeout`, deadline, other)
      .set(key, 1)
      .exec();
    const lock = await server.lock(key, ({ members }) => members.length === 2);
    const member = id.toString('hex');
    expect(lock.members.map((each) => each.id)).toContain(member);
    const input = { ...addressOf(key), member, version: lock.hold?.version, reason };
    const listener = client();
    await listener.subscribe(`redisson_sc:{${key}}`);
    const removed = await runAction(operator(), 'lock.remove-member', input);
    expect(removed).toEqual({ outcome: 'removed', wokeWaiters: 1 });
    expect(await redis.zrangeBuffer(`{${key}}:timeout`, '0', '-1')).toEqual([other]);
    expect(await redis.get(key)).toBe('2');
  });
});

describe('who may repair', () => {
  it('is an operator of the namespace, and nobody else', async () => {
    await redis.hset('inv:mine', READER, 1);
    await server.lock('inv:mine');
    await redis.del('inv:mine');
    const { namespace } = await server.lock('inv:mine', ({ state }) => state === 'free');
    for (const context of [
      server.as('viewer'),
      server.as('operator', { namespaces: [`not-${namespace}`] }),
    ]) {
      await expect(wake('inv:mine', context)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const refusals = (await auditOf('inv:mine')).filter(({ outcome }) => outcome === 'refused');
    expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    await expect(
      runAction(operator(), 'lock.wake', { ...addressOf('inv:mine'), reason: ' ' }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const unknown = { ...addressOf('inv:nobody-knows'), reason };
    await expect(runAction(operator(), 'lock.wake', unknown)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is told before anything is tried', async () => {
    await redis.hset('inv:seen', READER, 1);
    await server.lock('inv:seen');
    await redis.del('inv:seen');
    await server.lock('inv:seen', ({ state }) => state === 'free');
    const detail = await runQuery(server.as('viewer'), 'lock', addressOf('inv:seen'));
    expect(detail).toMatchObject({
      repairs: [
        { kind: 'wake', because: [{ id: 'repair:needs-role', values: { role: 'viewer' } }] },
      ],
    });
  });
});
