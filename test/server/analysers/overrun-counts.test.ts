import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import { createOverrunCounts } from '@/server/analysers/overrun-counts';
import type { Change } from '@/server/state/change';
import type { HoldRecord } from '@/server/state/lock-record';
import {
  aLock,
  anEndedHold,
  anOwner,
  aTable,
  aTarget,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const INSTANCE = 'b983c153-7421-469a-addb-44fb92259a1b';
const HOLDER = { kind: 'instance', name: INSTANCE } as const;

/** The lease of a hold of the instance ended at `at`. */
function lapse(key: string, at: number, overrides: Partial<HoldRecord> = {}) {
  const hold = anEndedHold(`${INSTANCE}:1`, {
    owner: { ...anOwner(`${INSTANCE}:1`), instance: INSTANCE },
    endReason: 'lease-ended',
    end: at,
    ...overrides,
  });
  return { kind: 'hold-ended', at, lock: aLock(key, { ended: [hold] }), hold } satisfies Change;
}

const isLate = { notes: new Set(['late-release'] as const), lateReleaseMs: 500 };

function counted(changes: readonly Change[]) {
  const counts = createOverrunCounts();
  counts.observe(changes);
  return counts;
}

const lock = (key: string) => ({ db: 0, key });

describe('leases that end while they are held', () => {
  it('are counted for the lock, and for the holder on whatever lock, with what is a conclusion', () => {
    const counts = counted([
      lapse('a', START),
      lapse('a', START + SECOND, { endEvidence: 'inferred' }),
      lapse('b', START + 2 * SECOND, isLate),
    ]);
    const now = START + HOUR;
    expect(counts.ofLock(lock('a'), now)).toEqual({
      ...{ since: START, count: 2, inferred: 1, lateReleases: 0, lastAt: START + SECOND },
    });
    expect(counts.ofLock(lock('b'), now)).toMatchObject({ count: 1, lateReleases: 1 });
    expect(counts.ofLock(lock('c'), now)).toBeNull();
    expect(counts.ofHolder(HOLDER, now)).toMatchObject({ count: 3, inferred: 1, lateReleases: 1 });
    expect(counts.ofHolder({ kind: 'host', name: INSTANCE }, now)).toBeNull();
  });

  it('of locks and holders with huge names take little to keep, and each has its own count', () => {
    const name = (i: number): string => `lock:${i}:${'\u0001'.repeat(5000)}`;
    const counts = counted([
      lapse(name(1), START, { owner: { ...anOwner('x'), instance: name(3) } }),
      lapse(name(1), START + SECOND),
      lapse(name(2), START + SECOND),
    ]);
    expect(JSON.stringify(counts.save()).length).toBeLessThan(1000);
    const again = createOverrunCounts();
    again.restore(JSON.parse(JSON.stringify(counts.save())));
    const now = START + HOUR;
    expect(again.ofLock(lock(name(1)), now)).toMatchObject({ count: 2 });
    expect(again.ofLock(lock(name(2)), now)).toMatchObject({ count: 1 });
    expect(again.ofHolder({ kind: 'instance', name: name(3) }, now)).toMatchObject({ count: 1 });
  });

  it('are those alone: neither a release, nor a takeover, nor a lock that is kept after its work', () => {
    const counts = counted([
      lapse('a', START, { endReason: 'released' }),
      lapse('a', START, { endReason: 'overwritten' }),
      lapse('a', START, { finishedAt: START - SECOND }),
      lapse('a', START, { notes: new Set(['finished-kept'] as const) }),
    ]);
    expect(counts.ofLock(lock('a'), START)).toBeNull();
    expect(counts.ofHolder(HOLDER, START)).toBeNull();
  });

  it('are counted once, as what came out of them later', () => {
    const first = lapse('a', START);
    const second = lapse('a', START + SECOND);
    const counts = counted([first, second]);
    Object.assign(first.hold, isLate);
    Object.assign(second.hold, { endReason: 'released' });
    counts.observe([
      { ...first, kind: 'hold-revised' },
      { ...second, kind: 'hold-revised' },
    ]);
    expect(counts.ofLock(lock('a'), START)).toMatchObject({ count: 1, lateReleases: 1 });
  });

  it('are forgotten after a week, and the count says since when it counts', () => {
    const counts = counted([lapse('a', START), lapse('a', START + 3 * DAY)]);
    expect(counts.ofLock(lock('a'), START + 4 * DAY)).toMatchObject({ since: START, count: 2 });
    const after = counts.ofLock(lock('a'), START + 8 * DAY);
    expect(after).toMatchObject({ count: 1 });
    expect(after?.since).toBeGreaterThan(START + DAY - SECOND);
    expect(after?.since).toBeLessThanOrEqual(START + 3 * DAY);
    expect(counts.ofLock(lock('a'), START + 11 * DAY)).toBeNull();
  });

  it('are still known after a restart, by what was saved', () => {
    const saved: unknown = JSON.parse(JSON.stringify(counted([lapse('a', START)]).save()));
    const counts = createOverrunCounts();
    counts.restore(saved);
    counts.observe([lapse('a', START + DAY)]);
    expect(counts.ofLock(lock('a'), START + DAY)).toMatchObject({ since: START, count: 2 });
    const other = createOverrunCounts();
    other.restore({ version: 0 });
    expect(other.ofLock(lock('a'), START)).toBeNull();
  });

  it('of very many locks are counted for those with the latest, which say since when', () => {
    const counts = createOverrunCounts();
    for (let i = 0; i <= 5_000; i++) counts.observe([lapse(`lock:${i}`, START + i)]);
    const now = START + HOUR;
    expect(counts.ofLock(lock('lock:0'), now)).toBeNull();
    expect(counts.ofLock(lock('lock:5000'), now)).toMatchObject({ count: 1, since: START });
    counts.observe([lapse('lock:0', START + 6_000)]);
    // What befell it before it was dropped is not in its count.
    expect(counts.ofLock(lock('lock:0'), START + HOUR)).toMatchObject({ count: 1 });
    expect(counts.ofLock(lock('lock:0'), now)?.since).toBeGreaterThanOrEqual(START);
  });

  it('of a lock that was dropped begin anew over a restart too', () => {
    const before = createOverrunCounts();
    for (let i = 0; i <= 5_000; i++) before.observe([lapse(`lock:${i}`, START + i)]);
    const counts = createOverrunCounts();
    counts.restore(before.save());
    counts.observe([lapse('lock:0', START + HOUR)]);
    // The first that is left tells up to when others may have been dropped.
    const again = counts.ofLock(lock('lock:0'), START + HOUR);
    expect(again?.count).toBe(1);
    expect(again?.since).toBeGreaterThan(START);
    expect(again?.since).toBeLessThan(START + 5_000);
  });
});

describe('an overrun', () => {
  const told = (changes: readonly Change[]) => {
    const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 30_000 });
    analysis.observe(changes);
    const found = inWords(analysis.findings(aTable([]), aTarget(), START + HOUR / 2));
    return found.find(({ code }) => code === 'overrun')?.summary;
  };

  it('tells how often that happened to the lock and to its holder, from the second time on', () => {
    expect(told([lapse('a', START, isLate)])).toBe(
      `${INSTANCE}:1 tried to release after its lease had ended`.replace(' after', ' 500 ms after'),
    );
    expect(told([lapse('b', START), lapse('a', START), lapse('a', START, isLate)])).toMatch(
      /\(2 leases of this lock ended while it was held, in 30 min\) \(3 leases ended while b983c153-[-0-9a-f]+ held, on whatever lock, in 30 min\)$/,
    );
  });
});
