import { describe, expect, it } from 'vitest';
import { planOf } from '@/components/advice/publish-writes';
import { leaseCode, publishCommand } from '@/components/advice/timeout-code';
import { manyTimeouts, sampleTimeouts } from '@/components/gallery/timeouts';
import type { TimeoutAdvice } from '@/lib/protocol/advice';

const page = sampleTimeouts(0);
const own = page.items.find(({ formats }) => formats.includes('qoder'));
const aTimeout = (overrides: Partial<TimeoutAdvice>): TimeoutAdvice => {
  if (!own) throw new Error('the samples have changed');
  return { ...own, recommendedMs: 1_834, ...overrides };
};

describe('the code of a lease', () => {
  it.each([
    ['qoder', 'createLockClient({ redis, ttlMs: 1834 });'],
    ['redisson', 'lock.lock(1834, TimeUnit.MILLISECONDS);'],
    ['redis-py', 'redis.lock(name, timeout=1.9)'],
    ['shedlock', '@SchedulerLock(name = "…", lockAtMostFor = "PT1.9S")'],
    ['laravel', 'Cache::lock($name, 2);'],
    ['pattern', 'SET key token NX PX 1834'],
  ])('of %s is in its words, and never shorter than advised', (format, code) => {
    expect(leaseCode(aTimeout({ formats: [format] }))).toBe(code);
  });

  it('of Redisson is its watchdog where that renews', () => {
    expect(leaseCode(aTimeout({ formats: ['redisson'], rule: 'renewals' }))).toContain(
      'setLockWatchdogTimeout(1834)',
    );
  });

  it('is published by the commands that the server tells', () => {
    const place = { db: 2, hash: 'lockscope:advice', field: 'order:*', nowMs: null };
    const publish = [
      { ...place, command: 'redis-cli HSET a' },
      { ...place, command: 'redis-cli HSET b' },
    ];
    expect(publishCommand(aTimeout({ publish }))).toBe('redis-cli HSET a\nredis-cli HSET b');
    expect(publishCommand(aTimeout({ publish: null }))).toBeNull();
  });
});

describe('what publishing would do', () => {
  it('is shown of one class with the lease that was shown', () => {
    const wanted = { namespace: 'order_sync', class: 'qoder:lock:order_sync:*' };
    expect(planOf(page, wanted)).toEqual({
      classes: [{ ...wanted, leaseMs: 1_834 }],
      writes: [
        { db: 0, hash: 'lockscope:advice', field: 'order_sync:*', leaseMs: 1_834, nowMs: null },
      ],
      ...{ removes: [], low: 0 },
    });
  });

  it('leaves guesses out of all, and takes out what is recommended no more', () => {
    const many = manyTimeouts(0);
    const items = many.items.map((item, n) => (n === 3 ? aTimeout({ confidence: 'low' }) : item));
    const plan = planOf({ items, stale: page.stale }, 'all');
    expect(plan).toMatchObject({ classes: 'all', low: 1, removes: page.stale });
    expect(plan.writes).toHaveLength(many.items.length - 1);
  });
});
