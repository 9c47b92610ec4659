import { describe, expect, it } from 'vitest';
import type { BesideKeys } from '@/lib/formats/format';
import { createAnalysis } from '@/server/analysers';
import type { AlertCode } from '@/lib/protocol/alert';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { aHold, aLock, aNode, aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;

function watching(code: AlertCode) {
  const analysis = createAnalysis({ longHoldMs: 60_000, noExpiryMs: 30_000 });
  return (table: LockTable, now: number, target = aTarget()) =>
    inWords(analysis.findings(table, target, now)).filter((finding) => finding.code === code);
}

const signals = (size: number, pttl: number | null): BesideKeys =>
  new Map([
    [
      'lock-signal:py',
      {
        value: {
          ...{ type: 'list', items: ['1'], size, truncated: size > 1 },
        },
        pttl,
      },
    ],
  ]);

const leaking = (beside: BesideKeys): LockRecord =>
  aLock('lock:py', {
    formatId: 'python-redis-lock',
    beside,
    hints: [{ source: 'signal-list', evidence: 'inferred', count: 3, at: START }],
  });

describe('a list of signals', () => {
  it.each([
    [3, 900, 'the list lock-signal:py that wakes its waiters holds 3 entries, where one is enough'],
    [
      1,
      null,
      'the list lock-signal:py that wakes its waiters has no expiry, and nobody takes its entries (1)',
    ],
  ])('of %s with %s ms to live is reported after two seconds', (size, pttl, summary) => {
    const judge = watching('signal-leak');
    const table = aTable([leaking(signals(size, pttl))]);
    expect(judge(table, START)).toEqual([]);
    expect(judge(table, START + 3 * SECOND)).toMatchObject([{ severity: 'warning', summary }]);
    expect(judge(aTable([leaking(new Map())]), START + 4 * SECOND)).toEqual([]);
  });

  it('with one signal that goes by itself is as it should be', () => {
    const judge = watching('signal-leak');
    const table = aTable([leaking(signals(1, 900))]);
    judge(table, START);
    expect(judge(table, START + 3 * SECOND)).toEqual([]);
  });
});

describe('a list of all locks', () => {
  const held = Array.from({ length: 200 }, (_, i) =>
    aLock(`uniquejobs:${String(i).padStart(32, '0')}`, {
      formatId: 'sidekiq-unique-jobs',
      hold: aHold(`job-${i}`),
    }),
  );
  const listing = (members: number): LockTable => ({
    ...aTable(held),
    indexes: [{ db: 0, key: 'uniquejobs:digests', members }],
  });

  it('is reported when it is far longer than the locks that are held, and as long as it is', () => {
    const judge = watching('index-bloat');
    expect(judge(listing(1900), START)).toEqual([]);
    expect(judge(listing(3_000_000), START)).toMatchObject([
      {
        severity: 'warning',
        summary: 'uniquejobs:digests in db 0 lists 3000000 locks; held of them: 200',
      },
    ]);
    expect(judge(listing(3_000_001), START + SECOND)).toMatchObject([{ since: START }]);
    expect(judge(listing(210), START + 2 * SECOND)).toEqual([]);
  });

  it('is not judged before the first sweep has found the locks, nor while it is short', () => {
    const judge = watching('index-bloat');
    const { sweep } = aNode();
    const target = aTarget({ nodes: [aNode({ sweep: { ...sweep, finishedAt: null } })] });
    expect(judge(listing(3_000_000), START, target)).toEqual([]);
    expect(judge({ ...listing(999), all: () => [] }, START)).toEqual([]);
  });
});
