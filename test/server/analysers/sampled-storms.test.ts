import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import { createLockTable } from '@/server/state/lock-table';
import { formatTable } from '@/lib/formats';
import type { TraceSampleObservation } from '@/server/watch/observation';
import { aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const sample = (
  at: number,
  more: Partial<TraceSampleObservation> = {},
): TraceSampleObservation => ({
  kind: 'trace-sample',
  at: START + at,
  trace: 't1',
  from: START,
  to: START + at,
  storms: [{ db: 0, key: 'lock:a', attempts: 900, failed: 899, perSecond: 90, clients: 2 }],
  hotClients: [
    { addr: '10.0.0.7:1', name: 'cart', attempts: 900, failed: 899, perSecond: 90, keys: 1 },
  ],
  ...more,
});

function anAnalysis() {
  const table = createLockTable({
    target: 'main',
    formats: formatTable,
    isDeclared: () => false,
    classify: () => ({ class: 'lock:*', namespace: 'lock' }),
  });
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  return {
    take: (seen: TraceSampleObservation) => analysis.observe(table.apply([seen])),
    judge: (at: number) => inWords(analysis.findings(aTable([]), aTarget(), START + at)),
  };
}

describe('attempts that a trace saw too many of', () => {
  it('are told as a storm of the lock and a hot client, with the span of the sample', () => {
    const analysis = anAnalysis();
    analysis.take(sample(10 * SECOND));
    expect(analysis.judge(11 * SECOND)).toMatchObject([
      {
        code: 'retry-storm',
        count: 1,
        evidence: 'observed',
        summary:
          '899 failed attempts from 2 clients, up to 90 in one second; sampled from 14:00:00 UTC to 14:00:10 UTC.',
      },
      {
        code: 'hot-client',
        summary:
          'cart (10.0.0.7:1) failed 899 times to take 1 lock, up to 90 times in one second; sampled from 14:00:00 UTC to 14:00:10 UTC.',
      },
    ]);
  });

  it('are one incident however often they are told, from when they were first seen', () => {
    const analysis = anAnalysis();
    analysis.take(sample(SECOND));
    analysis.take(sample(2 * SECOND));
    const found = analysis.judge(3 * SECOND);
    expect(found.map(({ code, since }) => [code, since])).toEqual([
      ['retry-storm', START + SECOND],
      ['hot-client', START + SECOND],
    ]);
  });

  it('are over five minutes after the trace unless another trace sees them', () => {
    const analysis = anAnalysis();
    analysis.take(sample(10 * SECOND));
    expect(analysis.judge(5 * MINUTE)).toHaveLength(2);
    analysis.take(sample(4 * MINUTE, { trace: 't2', hotClients: [] }));
    expect(analysis.judge(6 * MINUTE).map(({ code }) => code)).toEqual(['retry-storm']);
    expect(analysis.judge(10 * MINUTE)).toEqual([]);
  });
});
