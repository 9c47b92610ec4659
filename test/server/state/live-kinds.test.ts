import { describe, expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { about, startLive, type Live } from './live-redis';
import { UUID_A, UUID_B } from './scenario';

const A = `${UUID_A}:1`;
const B = `${UUID_B}:2`;

const heldBy = async ({ lock }: Live, key: string, token: string) =>
  await until(`${key} is held by ${token}`, () => {
    const hold = lock(key)?.hold;
    return hold?.token === token ? hold : undefined;
  });

const firstEnd = async ({ lock }: Live, key: string) =>
  await until(`a hold of ${key} ended`, () => lock(key)?.ended.at(-1));

describe('a lock of another type under the same key', () => {
  it('is a new hold of the library that its value shows', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'A', 'PX', 60_000);
    await heldBy(live, 'lock:k', 'A');
    await live.redis.multi().del('lock:k').hset('lock:k', A, 1).pexpire('lock:k', 30_000).exec();
    const hold = await heldBy(live, 'lock:k', A);
    expect(hold.generation).toBe(2);
    expect(live.lock('lock:k')).toMatchObject({ state: 'held', format: { id: 'redisson' } });
  });

  it('takes over when it is renamed onto a held key', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'A', 'PX', 60_000);
    await heldBy(live, 'lock:k', 'A');
    await live.redis.hset('lock:from', A, 1);
    await live.redis.rename('lock:from', 'lock:k');
    await heldBy(live, 'lock:k', A);
    const first = await firstEnd(live, 'lock:k');
    expect(first).toMatchObject({ token: 'A', endReason: 'overwritten', endedBy: A });
  });
});

describe.each(['KEA', 'KEAn'])('with flags %s a key that replaces a held one', (flags) => {
  const replaceBy = {
    rename: async ({ redis }: Live) => await redis.rename('lock:from', 'lock:to'),
    copy: async ({ redis }: Live) => await redis.copy('lock:from', 'lock:to', 'REPLACE'),
    restore: async ({ redis }: Live) =>
      await redis.restore(
        'lock:to',
        60_000,
        (await redis.dumpBuffer('lock:from')) ?? '',
        'REPLACE',
      ),
  };
  it.each(['rename', 'copy', 'restore'] as const)('by %s is an overwriting', async (how) => {
    const live = await startLive(flags);
    await live.redis.set('lock:from', 'A', 'PX', 60_000);
    await live.redis.set('lock:to', 'B', 'PX', 60_000);
    await heldBy(live, 'lock:to', 'B');
    await replaceBy[how](live);
    await heldBy(live, 'lock:to', 'A');
    const first = await firstEnd(live, 'lock:to');
    expect(first).toMatchObject({ token: 'B', endReason: 'overwritten' });
  });
});

describe('writes that no read came between', () => {
  it('are no renewals of the one who is read at last', async () => {
    const live = await startLive();
    const writes = live.redis.pipeline();
    for (let i = 0; i < 10; i++) writes.set('lock:k', `T${i}`, 'PX', 60_000);
    await writes.exec();
    const hold = await heldBy(live, 'lock:k', 'T9');
    if (hold.generation > 1) return;
    expect(hold).toMatchObject({ renewals: 0, sinceEvidence: 'inferred' });
    expect(hold.notes).toContain('writes-unread');
  });

  it('and a release at once are not told as a renewal and a release', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'A', 'PX', 60_000);
    await heldBy(live, 'lock:k', 'A');
    await live.redis.multi().set('lock:k', 'B', 'PX', 60_000).del('lock:k').exec();
    const hold = await firstEnd(live, 'lock:k');
    expect(hold).toMatchObject({ renewals: 0, endEvidence: 'inferred' });
  });

  it('are none of the holder either when others wrote in between', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'B', 'PX', 60_000);
    await heldBy(live, 'lock:k', 'B');
    for (let i = 0; i < 3; i++) {
      await pause(60);
      await live.redis
        .multi()
        .set('lock:k', 'A', 'PX', 60_000)
        .set('lock:k', 'B', 'PX', 60_000)
        .exec();
    }
    await until('it was written unread', () =>
      live.lock('lock:k')?.hold?.notes.has('writes-unread'),
    );
    expect(live.lock('lock:k')?.hold).toMatchObject({ token: 'B', renewals: 0 });
  });

  it('are renewals of a library that renews by SET', async () => {
    const live = await startLive();
    const token = '0123456789abcdef0123456789abcdef';
    const writes = live.redis.pipeline();
    for (let i = 0; i < 4; i++) writes.set('lock:k', token, 'PX', 60_000);
    await writes.exec();
    expect((await heldBy(live, 'lock:k', token)).renewals).toBe(3);
  });
});

describe('a value that is changed in place', () => {
  it.each([
    ['incr', async ({ redis }: Live) => await redis.incr('lock:n')],
    ['append', async ({ redis }: Live) => await redis.append('lock:n', '2')],
    ['setrange', async ({ redis }: Live) => await redis.setrange('lock:n', 0, '7')],
  ])('by %s is no takeover: nobody is named', async (_name, change) => {
    const live = await startLive();
    await live.redis.set('lock:n', '1');
    await heldBy(live, 'lock:n', '1');
    await change(live);
    await until('it is broken', () => live.lock('lock:n')?.state === 'broken');
    const hold = await firstEnd(live, 'lock:n');
    expect(hold).toMatchObject({ token: '1', endReason: 'unknown' });
    await change(live);
    await live.redis.set('lock:n', 'T', 'PX', 60_000);
    expect((await heldBy(live, 'lock:n', 'T')).generation).toBe(2);
  });

  it('from the beginning is a counter, not a holder', async () => {
    const live = await startLive();
    await live.redis.incr('lock:count');
    await until('it is broken', () => live.lock('lock:count')?.state === 'broken');
    expect(live.lock('lock:count')).toMatchObject({ acquisitions: 0, hold: null });
  });
});

describe('a lease', () => {
  it('that EXPIRE makes shorter is not renewed', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'A', 'PX', 20_000);
    await heldBy(live, 'lock:k', 'A');
    await pause(50);
    await live.redis.pexpire('lock:k', 10_000);
    const hold = await until('it is shorter', () => {
      const found = live.lock('lock:k')?.hold;
      return found?.notes.has('lease-shortened') ? found : undefined;
    });
    expect(hold).toMatchObject({ renewals: 0, leaseMs: about(10_000) });
  });

  it('set apart from the step of a re-entry is no renewal', async () => {
    const live = await startLive('KEA', true);
    for (const step of [1, 1, -1]) {
      await live.redis.hincrby('inv', A, step);
      await pause(50);
      await live.redis.pexpire('inv', 30_000);
      await pause(50);
    }
    // Events come in order: whoever sees this has seen all before.
    await live.redis.set('lock:mark', 'M', 'PX', 60_000);
    await heldBy(live, 'lock:mark', 'M');
    const hold = await until('it is left once', () => {
      const found = live.lock('inv')?.hold;
      return found?.depth === 1 ? found : undefined;
    });
    expect(hold).toMatchObject({ token: A, maxDepth: 2, renewals: 0 });
  });
});

describe('a JSON value over a token', () => {
  it('is not counted as a renewal', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', 'A', 'PX', 60_000);
    await heldBy(live, 'lock:k', 'A');
    await pause(50);
    await live.redis.set('lock:k', '{"a":1}');
    const hold = await firstEnd(live, 'lock:k');
    expect(hold).toMatchObject({ token: 'A', renewals: 0, endReason: 'unknown' });
  });
});

describe('a semaphore', () => {
  it('with stale members only is free and lost nothing', async () => {
    const live = await startLive();
    await live.redis.zadd('semaphore:s', Date.now() - 600_000, 'id-old');
    await until('it is read', () => live.lock('semaphore:s')?.members.length === 1);
    await pause(100);
    expect(live.lock('semaphore:s')).toMatchObject({ state: 'free', acquisitions: 0, ended: [] });
  });

  it('shows who counts however many stale members it has', async () => {
    const live = await startLive();
    const old = Date.now() - 600_000;
    const stale = Array.from({ length: 1000 }, (_, i) => [old + i, `m${i}`]).flat();
    await live.redis.zadd('semaphore:s', ...stale, Date.now(), 'live');
    await heldBy(live, 'semaphore:s', 'live');
  });

  it('books a hold that was over before it could be read', async () => {
    const live = await startLive();
    await live.redis
      .multi()
      .zadd('semaphore:s', Date.now(), UUID_A)
      .zrem('semaphore:s', UUID_A)
      .exec();
    await until('it is known', () => live.lock('semaphore:s') !== undefined);
    const hold = await firstEnd(live, 'semaphore:s');
    expect(hold).toMatchObject({ token: null, endReason: 'released' });
  });
});

describe('a lock whose events do not reach us', () => {
  it('ended in an unknown way when it is gone', async () => {
    const live = await startLive();
    const queue = 'redisson_lock_queue:{acct:1}';
    await live.redis.multi().hset('acct:1', A, 1).pexpire('acct:1', 30_000).rpush(queue, B).exec();
    await heldBy(live, 'acct:1', A);
    await live.redis.multi().del('acct:1').lpop(queue).exec();
    const hold = await firstEnd(live, 'acct:1');
    expect(hold).toMatchObject({ token: A, endReason: 'unknown' });
  });
});

describe('two databases that are swapped', () => {
  it('make locks vanish; nobody took them over', async () => {
    const live = await startLive();
    const other = live.redis.duplicate({ db: 1 });
    await live.redis.set('lock:both', 'X', 'PX', 60_000);
    await other.set('lock:both', 'Y', 'PX', 60_000);
    await heldBy(live, 'lock:both', 'X');
    await live.redis.swapdb(0, 1);
    await heldBy(live, 'lock:both', 'Y');
    other.disconnect();
    const hold = await firstEnd(live, 'lock:both');
    expect(hold).toMatchObject({ token: 'X', endReason: 'vanished' });
  });
});

describe('a value of a megabyte', () => {
  it('is another token when only its end differs', async () => {
    const live = await startLive();
    const long = 'z'.repeat(1 << 20);
    await live.redis.set('lock:k', `${long}A`, 'PX', 60_000);
    await until('it is held', () => live.lock('lock:k')?.hold?.token);
    await live.redis.set('lock:k', `${long}B`, 'PX', 60_000);
    const hold = await firstEnd(live, 'lock:k');
    expect(hold).toMatchObject({ endReason: 'overwritten', renewals: 0 });
  });
});

describe('a token that tells its time', () => {
  it('is shown as what the token says', async () => {
    const live = await startLive();
    const token = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
    await live.redis.set('job-lock:default:r', token, 'PX', 60_000);
    const hold = await heldBy(live, 'job-lock:default:r', token);
    expect(hold.tokenTime).toEqual({ at: Date.UTC(2026, 0, 1), means: 'taken' });
  });
});

describe('an empty token', () => {
  it('has a name, so that it is not taken for one that nobody read', async () => {
    const live = await startLive();
    await live.redis.set('lock:k', '', 'PX', 60_000);
    const hold = await heldBy(live, 'lock:k', '');
    expect(hold.owner?.id).toBe('(empty)');
  });
});
