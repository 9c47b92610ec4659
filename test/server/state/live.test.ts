import { describe, expect, it, onTestFinished } from 'vitest';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { startLive } from './live-redis';
import { UUID_A, UUID_B } from './scenario';

const A = `${UUID_A}:1`;
const B = `${UUID_B}:2`;

describe('the lock table on a real Redis', () => {
  it('takes renewals by SET for what they are', async () => {
    const { redis, ended, lock } = await startLive();
    await redis.set('lock:r', 'A', 'PX', 60_000, 'NX');
    await until('it is held', () => lock('lock:r')?.hold?.token);
    for (let renewals = 1; renewals <= 5; renewals++) {
      await redis.set('lock:r', 'A', 'PX', 60_000);
      // Of two writes without a read between nobody knows whose they were.
      await until('it is renewed', () => lock('lock:r')?.hold?.renewals === renewals);
    }
    await redis.del('lock:r');
    expect(await ended('lock:r')).toMatchObject([
      { renewals: 5, endReason: 'released', token: 'A' },
    ]);
    expect(lock('lock:r')?.acquisitions).toBe(1);
  });

  it('takes an overwrite for a takeover', async () => {
    const { redis, lock } = await startLive();
    await redis.set('lock:x', 'A', 'PX', 60_000, 'NX');
    await until('A is seen', () => lock('lock:x')?.hold?.token === 'A');
    await redis.set('lock:x', 'B', 'PX', 60_000);
    await until('B is seen', () => lock('lock:x')?.hold?.token === 'B');
    expect(lock('lock:x')?.ended).toMatchObject([{ endReason: 'overwritten', endedBy: 'B' }]);
  });

  it('ends a lease at its deadline although Redis tells late', async () => {
    const server = await startRedis({ flags: 'KEAn', args: ['--enable-debug-command', 'yes'] });
    onTestFinished(server.stop);
    const { redis, ended, lock } = await startLive('KEAn', false, server);
    await redis.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0');
    await redis.set('lock:late', 't', 'PX', 60_000);
    await until('it is held', () => lock('lock:late')?.hold?.token);
    const deadline = Date.now() + 1000;
    await redis.pexpireat('lock:late', deadline);
    const [hold] = await ended('lock:late');
    expect(hold).toMatchObject({ endReason: 'lease-ended' });
    await until('the read has confirmed it', () => hold?.notes.has('confirmed-by-check'));
    expect(Math.abs((hold?.end ?? 0) - deadline)).toBeLessThan(2000);
  });

  it('follows the depth of a Redisson lock and skips its latches', async () => {
    const { redis, ended, lock, table } = await startLive('KEAn', true);
    for (const depth of [1, 2]) {
      await redis.multi().hincrby('myLock', A, 1).pexpire('myLock', 30_000).exec();
      await until('the depth is seen', () => lock('myLock')?.hold?.depth === depth);
    }
    const latch = 'redisson_unlock_latch:{myLock}:r1';
    await redis.multi().hincrby('myLock', A, -1).pexpire('myLock', 30_000).set(latch, 0).exec();
    await redis.multi().hincrby('myLock', A, -1).del('myLock').exec();
    expect(await ended('myLock')).toMatchObject([
      { maxDepth: 2, endReason: 'released', owner: { instance: UUID_A, thread: '1' } },
    ]);
    expect(table.size).toBe(1);
  });

  it('knows a late release by the missed key', async () => {
    const { redis, ended, lock } = await startLive('KEAm');
    await redis.set('lock:rp', 't', 'PX', 100);
    await ended('lock:rp');
    await pause(200);
    await redis.get('lock:rp');
    const late = await until('the release is told', () => lock('lock:rp')?.ended[0]?.lateReleaseMs);
    expect(late).toBeGreaterThan(100);
  });

  it('claims no late release without one', async () => {
    const { redis, ended, lock } = await startLive('KEAm');
    await redis.set('lock:rp', 't', 'PX', 100);
    await ended('lock:rp');
    await pause(500);
    expect(lock('lock:rp')?.ended[0]?.lateReleaseMs).toBeNull();
  });

  it('finds flushed locks vanished', async () => {
    const { redis, ended, lock } = await startLive();
    await redis.set('lock:1', 'a', 'PX', 60_000);
    await redis.set('lock:2', 'b', 'PX', 60_000);
    await until('both are held', () => lock('lock:1')?.hold?.token && lock('lock:2')?.hold?.token);
    await redis.flushdb();
    for (const key of ['lock:1', 'lock:2']) {
      expect(await ended(key)).toMatchObject([{ endReason: 'vanished', endEvidence: 'observed' }]);
    }
  });

  it('says what a cut of the connection hid', async () => {
    const { redis, lock, changes } = await startLive();
    await redis.set('lock:g1', 't', 'PX', 60_000);
    await until('g1 is held', () => lock('lock:g1')?.hold?.token);
    await redis
      .multi()
      .client('KILL', 'TYPE', 'PUBSUB')
      .del('lock:g1')
      .set('lock:g2', 't', 'PX', 60_000)
      .exec();
    await until('g1 is found to be gone', () => lock('lock:g1')?.hold === null);
    await until('g2 is found', () => lock('lock:g2')?.hold?.token);
    expect(lock('lock:g1')?.ended[0]).toMatchObject({ endReason: 'unknown' });
    expect(lock('lock:g1')?.ended[0]?.notes).toContain('ended-in-gap');
    expect(lock('lock:g2')?.hold?.notes).toContain('started-in-gap');
    expect(changes.map(({ kind }) => kind)).toContain('gap');
  });

  it('tells evictions, moves and cool-downs apart', async () => {
    const { redis, ended, lock } = await startLive();
    await redis.set('lock:m', 't', 'PX', 60_000);
    await redis.rename('lock:m', 'lock:n');
    expect(await ended('lock:m')).toMatchObject([{ endReason: 'moved' }]);
    const moved = await until('it arrives', () => lock('lock:n')?.hold);
    expect(moved.notes).toContain('moved-in');
    const value = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
    await redis.set('job-lock:default:report', value, 'PX', 60_000, 'NX');
    await until('it is held', () => lock('job-lock:default:report')?.hold?.token);
    await redis.set('job-lock:default:report', value, 'PX', 5000, 'XX');
    await until('it cools down', () => lock('job-lock:default:report')?.state === 'cooling-down');
  });

  it('sees who waits in a fair queue and for how long', async () => {
    const { redis, lock, changes } = await startLive('KEAn', true);
    await redis.multi().hset('acct', A, 1).pexpire('acct', 30_000).exec();
    await until('A holds', () => lock('acct')?.hold?.token === A);
    const queue = 'redisson_lock_queue:{acct}';
    const timeouts = 'redisson_lock_timeout:{acct}';
    await redis
      .multi()
      .zadd(timeouts, Date.now() + 300_000, B)
      .rpush(queue, B)
      .exec();
    await until('B waits', () => lock('acct')?.queue[0]?.owner === B);
    expect(lock('acct')).toMatchObject({ state: 'held', format: { id: 'redisson-fair' } });
    await pause(100);
    await redis
      .multi()
      .hincrby('acct', A, -1)
      .del('acct')
      .lpop(queue)
      .zrem(timeouts, B)
      .hset('acct', B, 1)
      .pexpire('acct', 30_000)
      .exec();
    await until('B holds', () => lock('acct')?.hold?.token === B);
    const wait = changes.find((change) => change.kind === 'wait-ended');
    expect(wait).toMatchObject({ owner: B, outcome: 'granted', evidence: 'observed' });
  });
});
