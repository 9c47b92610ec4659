import { describe, expect, it } from 'vitest';
import { createConvoy } from '@/server/analysers/convoy';
import { createUsualHolds } from '@/server/analysers/usual-holds';
import { createOverrunCounts } from '@/server/analysers/overrun-counts';
import type { LockRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  anEndedHold,
  aTable,
  aTarget,
  aWaiter,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;

const waiting = (count: number) => Array.from({ length: count }, (_, i) => aWaiter(`w${i}`));

/** Turns of `holdMs` each with `gapMs` between, for `forMs`; the queue is as long as `lengthAt` says at each turn. */
function turns(
  lock: LockRecord,
  of: { holdMs: number; gapMs: number; forMs: number; lengthAt: (turn: number) => number },
) {
  const convoy = createConvoy();
  const settings = { longHoldMs: 600_000, noExpiryMs: 600_000 };
  const judge = (now: number) =>
    inWords(
      convoy.findings({
        ...{ table: aTable([lock]), target: aTarget(), settings, usual: createUsualHolds(), now },
        overruns: createOverrunCounts(),
      }),
    );
  let at = START;
  let found: ReturnType<typeof judge> = [];
  for (let turn = 0; at < START + of.forMs; turn++) {
    const hold = aHold(`o${turn}`, { since: at });
    lock.queue = waiting(of.lengthAt(turn));
    const previousEnd = turn === 0 ? null : at - of.gapMs;
    convoy.observe?.([{ kind: 'hold-started', at, lock, hold, previousEnd }]);
    at += of.holdMs;
    const ended = anEndedHold(`o${turn}`, { since: hold.since, end: at, endReason: 'released' });
    convoy.observe?.([{ kind: 'hold-ended', at, lock, hold: ended }]);
    at += of.gapMs;
    found = judge(at);
  }
  return { found, judge, at };
}

const aBusyLock = (): LockRecord => aLock('stock:1', { formatId: 'qoder', class: 'stock:*' });

describe('a convoy', () => {
  it('is told where the queue stays though each hold is short, with the figures', () => {
    const { found } = turns(aBusyLock(), {
      ...{ holdMs: 20, gapMs: 5, forMs: 12 * SECOND },
      lengthAt: (turn) => 4 + (turn % 3),
    });
    expect(found).toMatchObject([
      {
        severity: 'info',
        subject: { kind: 'lock', label: 'stock:1' },
        summary:
          'never fewer than 4 wait although each hold takes only 20 ms: 40 turns a second, with 5 ms from one to the next',
      },
    ]);
  });

  it('is none where the queue gets empty, holds take long, or nothing moves', () => {
    const steady = { holdMs: 20, gapMs: 5, forMs: 12 * SECOND, lengthAt: () => 5 };
    const empties = { ...steady, lengthAt: (turn: number) => (turn % 100 === 99 ? 0 : 5) };
    expect(turns(aBusyLock(), empties).found).toEqual([]);
    expect(turns(aBusyLock(), { ...steady, holdMs: 400 }).found).toEqual([]);
    const { found, judge, at } = turns(aBusyLock(), steady);
    expect(found).toHaveLength(1);
    expect(judge(at + 3 * SECOND)).toEqual([]);
  });
});
