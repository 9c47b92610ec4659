import { describe, expect, it } from 'vitest';
import { sampleTargets } from '@/components/gallery/targets';
import { isCurrent, NAV_ITEMS } from '@/components/shell/nav-items';
import { safeNextPath } from '@/components/shell/safe-next-path';
import { summariseTarget } from '@/components/shell/target-summary';

describe('the page after signing in', () => {
  it('is the one that was asked for', () => {
    expect(safeNextPath('/locks?state=held#x')).toBe('/locks?state=held#x');
  });

  it.each([null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:1'])(
    'is never elsewhere: %s',
    (next) => {
      expect(safeNextPath(next)).toBe('/');
    },
  );
});

describe('the navigation', () => {
  it('has one key of its own for each page', () => {
    expect(new Set(NAV_ITEMS.map(({ key }) => key)).size).toBe(NAV_ITEMS.length);
  });

  it('marks one page as the current one', () => {
    for (const path of ['/', '/locks', '/locks/t/0/abc', '/audit']) {
      expect(NAV_ITEMS.filter((item) => isCurrent(item, path))).toHaveLength(1);
    }
  });
});

describe('the summary of a target', () => {
  it('is connected only when every node is', () => {
    const [target] = sampleTargets(0);
    if (!target) throw new Error('no sample');
    const [node] = target.nodes;
    if (!node) throw new Error('no sample');
    const of = (connected: boolean[]) =>
      summariseTarget({
        ...target,
        nodes: connected.map((each) => ({ ...node, connected: each })),
      });
    expect(of([true, true]).connected).toBe(true);
    expect(of([true, false]).connected).toBe(false);
    expect(of([]).connected).toBe(false);
  });

  it('counts blindness apart from the other warnings', () => {
    const [target] = sampleTargets(0);
    if (!target) throw new Error('no sample');
    const warnings = ['blind', 'insecure-redis', 'old-redis'].map((code) => ({
      code,
      message: '',
      remedy: '',
    }));
    expect(summariseTarget({ ...target, warnings })).toMatchObject({
      sight: 'part',
      otherWarnings: 2,
    });
  });
});
