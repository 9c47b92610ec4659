import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { compileGlob } from '@/lib/analysis/glob';
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

  it('are found soon for a hundred wishes more, and let them through', () => {
    const globs = Array.from({ length: 100 }, (_, i) => `team-${i % 7}:job-${i}:*`);
    const patterns = planKeyPatterns({ prefixes, globs, everything: false });
    expect(patterns.length).toBeLessThanOrEqual(MAX_PATTERNS);
    const tests = patterns.map(compileGlob);
    for (let i = 0; i < 100; i++) {
      expect(tests.some((test) => test(`team-${i % 7}:job-${i}:x`))).toBe(true);
    }
    expect(tests.some((test) => test('cache:user:1'))).toBe(false);
  });

  it('are one when all keys are watched', () => {
    expect(planKeyPatterns({ prefixes, globs: [], everything: true })).toEqual(['*']);
  });

  describe('for the locks of every library', () => {
    const own = ['payments:', 'shop:stock:', 'leader-'];
    const patternsWith = (more: string[]) =>
      planKeyPatterns({
        prefixes: [...formatTable.watchedPrefixes, ...more],
        globs: [],
        everything: false,
      });
    const passing = (keys: string[], more: string[]) => {
      const tests = patternsWith(more).map(compileGlob);
      return keys.filter((key) => tests.some((test) => test(key)));
    };

    it.each([[[]], [own]])('let each of them through (with %j)', (more) => {
      const wished = [...formatTable.watchedPrefixes, ...more].map((prefix) => `${prefix}x`);
      expect(passing(wished, more)).toEqual(wished);
      expect(patternsWith(more).length).toBeLessThanOrEqual(MAX_PATTERNS);
    });

    it.each([[[]], [own]])('keep out what caches are full of (with %j)', (more) => {
      const floods = [
        'cache:user:123',
        'sess:8f2a',
        'session:8f2a',
        'user:1',
        'users:1:profile',
        'product:77',
        'laravel_cache:users',
        'laravel_database_laravel_cache_users',
        'spring:session:sessions:8f2a',
        'celery-task-meta-8f2a',
        'rate:10.0.0.1',
        'ratelimit:api:42',
        'queue:mail',
        'order:17',
        'token:8f2a',
        'page:/home',
      ];
      expect(passing(floods, more)).toEqual([]);
    });

    it('let few names through that nobody thought of', () => {
      const others =
        'activity alert article asset avatar badge banner billing board bookmark calendar campaign card category channel click comment contact coupon currency deal delivery device discount document draft email event export favorite field file filter flag follower form friend gallery game geo gift goal group history hotel image import inbox index invoice issue keyword label language lead level library like link list login map market media member menu metric module news note offer option owner package partner password payment permission phone photo pin plan player playlist poll price privacy process project promo provider quiz quote ranking rating reaction read recipe record region reminder report reservation review reward rule sale schedule score section seller service shift shipping slot source sport station store story stream student style subject subscription survey tag target team template tenant theme thread ticket timeline topic track trade transaction transfer trip tweet upload vendor version video vote wallet warehouse widget wishlist word'
          .split(' ')
          .map((name) => `${name}:1`);
      expect(passing(others, []).length).toBeLessThanOrEqual(others.length * 0.05);
    });

    it('are the same whenever they are asked for', () => {
      expect(patternsWith(own)).toEqual(patternsWith(own));
    });
  });
});
