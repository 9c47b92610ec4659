import { describe, expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { about, startLive, type Live } from './live-redis';
import { UUID_A, UUID_B } from './scenario';

const A = `${UUID_A}:1`;
const B = `${UUID_B}:2`;
const leaseOf = (reader: string): string => `{lock:rw}:${reader}:rwlock_timeout:1`;

/** What Redisson does for a reader's first hold. */
async function read({ redis }: Live, reader: string, leaseMs: number): Promise<void> {
  await redis
    .multi()
    .hset('lock:rw', 'mode', 'read')
    .hincrby('lock:rw', reader, 1)
    .set(leaseOf(reader), 1, 'PX', leaseMs)
    .pexpire('lock:rw', 60_000)
    .exec();
}

describe('a read-write lock of Redisson', () => {
  it('shows each reader with a deadline of its own, and who is past it', async () => {
    const live = await startLive('KEAn', true);
    await read(live, A, 60_000);
    await read(live, B, 5000);
    const members = () => live.lock('lock:rw')?.members ?? [];
    await until('both are inside with their deadlines', () =>
      members().filter(({ deadline }) => deadline !== null).length === 2 ? true : undefined,
    );
    const [first, second] = members();
    expect(first).toMatchObject({ id: A, role: 'reader', stale: false });
    expect((first?.deadline ?? 0) - (second?.deadline ?? 0)).toBeGreaterThan(50_000);
    await until('the second is past its time', () => members()[1]?.stale);
    expect(members()[0]?.stale).toBe(false);
    expect(live.lock('lock:rw')).toMatchObject({
      state: 'held',
      format: { id: 'redisson-read-write' },
    });
  });

  it('is the writer’s while it writes', async () => {
    const live = await startLive();
    const writer = `${A}:write`;
    await live.redis
      .multi()
      .hset('lock:rw', 'mode', 'write', writer, 1)
      .pexpire('lock:rw', 30_000)
      .exec();
    const hold = await until('it is held', () => live.lock('lock:rw')?.hold);
    expect(hold).toMatchObject({ token: writer, owner: { instance: UUID_A } });
  });
});

describe('an expirable semaphore of Redisson', () => {
  it('is one still when nothing but its counter is left', async () => {
    const live = await startLive('KEAn', true);
    const permit = 'p'.repeat(16);
    await live.redis
      .multi()
      .set('orders', 3)
      .zadd('{orders}:timeout', Date.now() + 60_000, permit)
      .exec();
    await until('it is held', () => live.lock('orders')?.hold);
    await live.redis.multi().zrem('{orders}:timeout', permit).incrby('orders', 1).exec();
    await until('it is free', () => live.lock('orders')?.state === 'free');
    expect(live.lock('orders')).toMatchObject({ permits: { total: 4, free: 4 } });
  });

  it('is no data that is counted, whatever its name', async () => {
    const live = await startLive('KEAn', true);
    const permit = 'p'.repeat(16);
    await live.redis.set('lock:orders', 3);
    await until('it is taken for a lock', () => live.lock('lock:orders')?.hold);
    await live.redis.decr('lock:orders');
    await live.redis.zadd('{lock:orders}:timeout', Date.now() + 60_000, permit);
    await until('its permits are known', () => live.lock('lock:orders')?.members.length === 1);
    expect(live.lock('lock:orders')).toMatchObject({
      state: 'held',
      format: { id: 'redisson-permits' },
    });
  });

  it('shows its permits, those without a deadline too, until all are given back', async () => {
    const live = await startLive('KEAn', true);
    const permit = 'p'.repeat(16);
    const key = '{shop}:orders:permitexpirablesemaphore';
    await live.redis.multi().set(key, 3).zadd(`${key}:timeout`, 922_337_203_685_477, permit).exec();
    const lock = await until('it is held', () =>
      live.lock(key)?.hold ? live.lock(key) : undefined,
    );
    expect(lock).toMatchObject({
      format: { id: 'redisson-permits' },
      formatCertain: true,
      permits: { total: 4, free: 3 },
      members: [{ id: '70'.repeat(16), role: 'permit', deadline: null, stale: false }],
    });
    await live.redis.multi().zrem(`${key}:timeout`, permit).incrby(key, 1).exec();
    await until('it is free', () => live.lock(key)?.state === 'free');
  });
});

describe('a permit of an expirable semaphore', () => {
  it('is dated by its count, renewed by its deadline and released by name', async () => {
    const live = await startLive('KEAn', true);
    const permit = 'p'.repeat(16);
    const key = 'shop:permitexpirablesemaphore';
    const timeouts = `{${key}}:timeout`;
    await live.redis.set(key, 1);
    await until('it is free', () => live.lock(key)?.state === 'free');
    const takenAt = Date.now();
    await live.redis
      .multi()
      .decr(key)
      .zadd(timeouts, takenAt + 60_000, permit)
      .exec();
    const hold = await until('it is held', () => live.lock(key)?.hold);
    expect(hold).toMatchObject({ sinceEvidence: 'observed', leaseMs: about(60_000), renewals: 0 });
    expect(hold.notes.has('started-before-watch')).toBe(false);
    await live.redis.zadd(timeouts, Date.now() + 90_000, permit);
    await until('it is renewed', () => live.lock(key)?.hold?.renewals === 1);
    expect(live.lock(key)).toMatchObject({ acquisitions: 1, hold: { leaseMs: about(90_000) } });
    await live.redis.multi().zrem(timeouts, permit).incr(key).exec();
    await until('it is free', () => live.lock(key)?.state === 'free');
    expect(live.lock(key)?.ended[0]).toMatchObject({ endReason: 'released', renewals: 1 });
  });
});

describe('a multi-lock of Redisson in one hash', () => {
  it('has the depth and the lease of its holder', async () => {
    const live = await startLive('KEAn', true);
    const field = `${'A'.repeat(22)}:${A}`;
    const enter = async (count: number): Promise<unknown> =>
      await live.redis
        .multi()
        .hset('group', 'A'.repeat(22), A, `${field}:expire_time`, Date.now() + 30_000)
        .hset('group', `${field}:lock_count`, count)
        .pexpire('group', 30_000)
        .exec();
    await enter(1);
    const hold = await until('it is held', () => live.lock('group')?.hold);
    expect(hold).toMatchObject({ token: A, depth: 1, leaseMs: about(30_000) });
    await pause(5);
    await enter(2);
    await until('it is entered again', () => live.lock('group')?.hold?.depth === 2);
    expect(live.lock('group')).toMatchObject({ acquisitions: 1, hold: { renewals: 0 } });
    await pause(5);
    await enter(2);
    await until('it is renewed', () => (live.lock('group')?.hold?.renewals ?? 0) > 0);
    expect(live.lock('group')).toMatchObject({ acquisitions: 1, hold: { depth: 2 } });
  });
});

describe('the readers of Medallion', () => {
  it('are all inside, with the writer who waits for them', async () => {
    const live = await startLive('KEAn', true);
    const reader = `web_1_${'a'.repeat(32)}`;
    const writer = `api_2_${'b'.repeat(32)}`;
    await live.redis.set('doc.writer', `${writer}_WRITERWAITING`, 'PX', 30_000);
    await live.redis.multi().sadd('doc.readers', reader).pexpire('doc.readers', 30_000).exec();
    await until('the writer waits', () => live.lock('doc.readers')?.queue[0]?.owner === writer);
    expect(live.lock('doc.readers')?.members).toMatchObject([{ id: reader, role: 'reader' }]);
    await until('the writer’s key is known', () => live.lock('doc.writer'));
    expect(live.lock('doc.writer')?.hold).toBeNull();
  });
});
