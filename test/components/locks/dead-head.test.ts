import { describe, expect, it } from 'vitest';
import { deadHead } from '@/components/locks/detail/dead-head';
import { sampleDetail } from '@/components/gallery/lock-details';
import { fairLock } from '@/components/gallery/locks';
import { deadHeadLock } from '@/components/gallery/shared-locks';
import type { WaitingOwner } from '@/lib/protocol/lock';

const NOW = 1_800_000_000_000;

const waiter = (alive: boolean | null, deadline?: number | null): WaitingOwner => ({
  id: 'w',
  since: null,
  alive,
  ...(deadline !== undefined && { deadline }),
});

const queueOf = (...waiters: WaitingOwner[]) =>
  deadHead({ ...sampleDetail(deadHeadLock(NOW), NOW), waiters });

describe('a dead head of a queue', () => {
  it('keeps everybody behind it waiting until the last of the dead is dropped', () => {
    expect(deadHead(sampleDetail(deadHeadLock(NOW), NOW))).toEqual({
      heads: 2,
      behind: 2,
      until: NOW + 6 * 60_000,
    });
  });

  it('is none behind a living one, or behind one of whom nothing is known', () => {
    expect(queueOf(waiter(true), waiter(false, NOW))).toBeNull();
    expect(queueOf(waiter(null), waiter(false, NOW))).toBeNull();
    expect(queueOf()).toBeNull();
  });

  it('has no known end when the end of one of the dead is not known', () => {
    expect(queueOf(waiter(false, NOW), waiter(false))).toEqual({
      heads: 2,
      behind: 0,
      until: null,
    });
    expect(queueOf(waiter(false, null), waiter(true))?.until).toBeNull();
  });

  it('stands in nobody’s way where the library lets the next one pass', () => {
    const detail = sampleDetail({ ...fairLock(NOW), format: 'qoder' }, NOW);
    expect(deadHead({ ...detail, waiters: [waiter(false, NOW), waiter(true)] })).toBeNull();
  });
});
