import { describe, expect, it } from 'vitest';
import { sampleHold, sampleLock, sampleOwner, semaphore } from '@/components/gallery/locks';
import { counter, permits, readLock, writeLock } from '@/components/gallery/shared-locks';
import {
  firstDeadline,
  gone,
  insidersOf,
  leaking,
  permitNumbers,
} from '@/components/locks/insiders';
import type { Lock } from '@/lib/protocol/lock';

const NOW = 1_800_000_000_000;

const idsOf = (members: readonly { id: string }[]): string[] => members.map(({ id }) => id);

describe('those inside a lock', () => {
  it('are told from those past their time', () => {
    const { live, stale } = insidersOf(semaphore(NOW));
    expect(idsOf(live)).toEqual(['worker-live', 'worker-forever']);
    expect(idsOf(stale)).toEqual(['worker-old']);
  });

  it('are a writer apart from readers, also when the writer reads', () => {
    const { live, writer } = insidersOf(writeLock(NOW));
    expect(writer?.id).toMatch(/:57:write$/);
    expect(idsOf(live)).toEqual([expect.stringMatching(/:57$/)]);
  });

  it('are the one holder where nobody else is listed', () => {
    const alone = sampleLock('rw', NOW, { kind: 'read-write', mode: 'read' });
    expect(idsOf(insidersOf(alone).live)).toEqual([sampleOwner().id]);
    const writes: Lock = { ...alone, mode: 'write' };
    expect(insidersOf(writes)).toMatchObject({ live: [], writer: { id: sampleOwner().id } });
  });

  it('are nobody where a number is all that is written, or nothing was read yet', () => {
    expect(insidersOf(counter(NOW)).live).toEqual([]);
    const unread = sampleHold(NOW, { owner: sampleOwner({ id: '' }) });
    expect(insidersOf(sampleLock('s', NOW, { kind: 'semaphore', hold: unread })).live).toEqual([]);
  });
});

describe('the numbers of a semaphore', () => {
  it('are those written, and the permits taken are those inside', () => {
    expect(permitNumbers(permits(NOW))).toEqual({ total: 5, taken: 3, free: 2 });
  });

  it('are unknown, not zero, where Redis does not have them', () => {
    expect(permitNumbers(counter(NOW))).toEqual({ total: null, taken: null, free: 0 });
    expect(permitNumbers(semaphore(NOW))).toEqual({ total: null, taken: 2, free: null });
  });

  it('say that none is taken when nobody is inside', () => {
    const lock = sampleLock('s', NOW, { kind: 'semaphore', state: 'free', hold: null });
    expect(permitNumbers(lock)).toEqual({ total: null, taken: 0, free: null });
    const all = { ...lock, permits: { total: 4, free: 4 } };
    expect(permitNumbers(all)).toEqual({ total: 4, taken: 0, free: 4 });
  });
});

describe('a member', () => {
  it('without a deadline may leak, one past its time does not', () => {
    expect(idsOf(leaking(insidersOf(semaphore(NOW)).live))).toEqual(['worker-forever']);
  });

  it('whose instance went is told from one of whom nothing is known', () => {
    expect(gone(insidersOf(readLock(NOW)).live)).toHaveLength(1);
  });

  it('that ends first decides when the next place is free', () => {
    expect(firstDeadline(insidersOf(permits(NOW)).live)).toBe(NOW + 19_000);
    expect(firstDeadline([])).toBeNull();
  });
});
