import { describe, expect, it } from 'vitest';
import { compileGlob } from '@/server/redis/glob';
import { MAX_PATTERNS, planKeyPatterns } from '@/server/watch/key-patterns';

const prefixes = [
  'lock:',
  'mutex:',
  'semaphore:',
  'bull:',
  'redlock:',
  'job-lock:default:',
  'a[b]*:',
  'redisson_lock_queue:',
];

describe('the patterns of a subscription', () => {
  it('are the wishes themselves while they are few', () => {
    expect(
      planKeyPatterns({ prefixes: ['lock:', 'a*'], globs: ['x?z'], everything: false }),
    ).toEqual(['lock:*', 'a\\**', 'x?z']);
  });

  it('are at most four and let every wished key through, however many the wishes', () => {
    const globs = ['order-[0-9]*', 'single', 'lock:?'];
    const patterns = planKeyPatterns({ prefixes, globs, everything: false });
    expect(patterns.length).toBeLessThanOrEqual(MAX_PATTERNS);
    const tests = patterns.map(compileGlob);
    for (const key of [
      ...prefixes.map((prefix) => `${prefix}x`),
      ...prefixes,
      'order-17',
      'single',
      'lock:1',
    ]) {
      expect(
        tests.some((test) => test(key)),
        key,
      ).toBe(true);
    }
    expect(tests.some((test) => test('cache:user:1'))).toBe(false);
  });

  it('keep a glob without a literal head as it is, and give up selecting when there are too many', () => {
    const plan = planKeyPatterns({ prefixes, globs: ['*lock'], everything: false });
    expect(plan).toContain('*lock');
    expect(plan.length).toBeLessThanOrEqual(MAX_PATTERNS);
    const headless = ['*a', '*b', '*c', '*d', '?e'];
    expect(planKeyPatterns({ prefixes, globs: headless, everything: false })).toEqual(['*']);
  });

  it('are one when all keys are watched', () => {
    expect(planKeyPatterns({ prefixes, globs: [], everything: true })).toEqual(['*']);
  });
});
