import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobLook, lookForJobs } from '@/server/watch/job-look';
import { createProbeLoads } from '@/server/watch/probe-load';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
afterAll(() => server.stop());

const job = (queue: string, id: string) => ({
  ...{ db: 0, key: `bull:${queue}:${id}:lock`, list: `bull:${queue}:active`, id },
});

const look = async (jobs: readonly ReturnType<typeof job>[]) =>
  (await lookForJobs(redis, jobs, () => 1)).map(({ key, isActive }) => [key, isActive]);

describe('looking for jobs', () => {
  it('rests twenty times as long as it took', async () => {
    let elapsed = 0;
    let asked = 0;
    const look = createJobLook({
      loads: createProbeLoads(() => 1),
      jobs: () => {
        asked += 1;
        return [job('mail', '1')];
      },
      deliver: () => (elapsed += 30),
      now: () => 1,
      elapsedMs: () => elapsed,
    });
    const runAfter = async (ms: number): Promise<number> => {
      elapsed += ms;
      await look.run(() => Promise.resolve(redis));
      return asked;
    };
    expect(await runAfter(0)).toBe(1);
    expect(await runAfter(599)).toBe(1);
    expect(await runAfter(1)).toBe(2);
  });
});

describe('jobs that are looked for', () => {
  it('are in the list, or not, or have a lock again, which is no answer', async () => {
    await redis.rpush('bull:mail:active', 'here', 'again');
    await redis.set('bull:mail:again:lock', 'worker:1');
    await redis.set('bull:cache:active', 'no list');
    const jobs = [job('mail', 'here'), job('mail', 'gone'), job('mail', 'again')];
    expect(await look([...jobs, job('cache', '1'), job('empty', '1')])).toEqual([
      ['bull:mail:here:lock', true],
      ['bull:mail:gone:lock', false],
      ['bull:cache:1:lock', false],
      ['bull:empty:1:lock', false],
    ]);
  });

  it('have names of any bytes', async () => {
    await redis.rpush(Buffer.from('bull:caf\xe9:active', 'latin1'), Buffer.from('\xff', 'latin1'));
    expect(await look([job('caf\xe9', '\xff')])).toEqual([['bull:caf\xe9:\xff:lock', true]]);
  });

  it('are not known to be gone from a list of which a part was looked at', async () => {
    await redis.rpush('bull:long:active', 'newest', ...Array<string>(10_000).fill('x'), 'oldest');
    expect(await look([job('long', 'newest'), job('long', 'oldest')])).toEqual([
      ['bull:long:newest:lock', null],
      ['bull:long:oldest:lock', true],
    ]);
  });

  it('are unknown to a user who may not look, and more than one batch of them are asked for', async () => {
    await redis.call('ACL', 'SETUSER', 'blinkered', 'on', '>pw', '~*', '+@all', '-lpos');
    const blinkered = server.client({ username: 'blinkered', password: 'pw' });
    const jobs = Array.from({ length: 205 }, (_, n) => job('mail', `${n}`));
    const seen = await lookForJobs(blinkered, jobs, () => 1);
    expect(seen.map(({ isActive }) => isActive)).toEqual(jobs.map(() => null));
    expect(seen.map(({ key }) => key)).toEqual(jobs.map(({ key }) => key));
  });
});
