import { describe, expect, it } from 'vitest';
import { createCrowd } from '@/test/support/lock-fleet/crowd';
import { crowdThrough, type CrowdPlan } from '@/test/support/lock-fleet/crowd-fleet';
import { startRedis } from '@/test/support/redis-server';

const PLANS: [promise: string, plan: CrowdPlan][] = [
  [
    'a semaphore of 3 never has a fourth holder, and gets the permits of the killed back',
    { way: 'semaphore', processes: 8, workers: 3, ttlMs: 3_000, visits: 1_500, kills: 4 },
  ],
  [
    'nobody reads or writes beside a writer, and the killed block nobody for longer than their lease',
    { way: 'readWrite', processes: 8, workers: 3, ttlMs: 3_000, visits: 1_500, kills: 4 },
  ],
  [
    'groups of locks named in opposite orders exclude each other and never wait in a circle',
    { way: 'multi', processes: 6, workers: 3, ttlMs: 3_000, visits: 1_200, kills: 3 },
  ],
];

describe('in many processes, some of which are killed', () => {
  it.each(PLANS)('%s', { timeout: 400_000 }, async (_, plan) => {
    const { visits, accusations, ends, leftKeys } = await crowdThrough(plan);
    expect(accusations).toEqual([]);
    expect(ends.every((code) => code === 0)).toBe(true);
    const sum = Object.values(visits).reduce((total, count) => total + count, 0);
    expect(sum).toBeGreaterThanOrEqual(plan.visits);
    expect(leftKeys).toEqual([]);
  });
});

describe('the judge of a crowd', () => {
  it('writes down who finds a place too full, and forgets the dead in time', async () => {
    const redis = await startRedis({ flags: '' });
    const crowd = createCrowd(redis.client());
    const [one, two] = [
      { id: '1', process: 'p1' },
      { id: '2', process: 'p2' },
    ];
    await crowd.enter('s', one, { s: 0 });
    await crowd.died('p1', Date.now() + 60_000);
    expect((await crowd.read()).accusations).toEqual([]);
    await crowd.enter('s', two, { s: 0 });
    expect((await crowd.read()).accusations).toHaveLength(1);
    await crowd.died('p1', Date.now() - 1);
    await crowd.leave('s', two);
    await crowd.enter('s', two, { s: 0 });
    expect(await crowd.read()).toMatchObject({ visits: { s: 3 }, accusations: { length: 1 } });
    await redis.stop();
  });
});
