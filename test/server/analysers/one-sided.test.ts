import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { Change } from '@/server/state/change';
import { aHold, aLock, anOwner, aTable, aTarget, inWords, START } from '@/test/support/records';

const MINUTE = 60_000;

const taken = (by: string, at: number): Change => {
  const owner = { ...anOwner(`${by}:7`), instance: by };
  const hold = aHold(`${by}:7`, { since: at, owner });
  const lock = aLock(`order:${at}`, { class: 'order:*', hold });
  return { kind: 'hold-started', at, lock, hold, previousEnd: null };
};

const takenBy = (by: readonly string[], from: number, times = 12): Change[] =>
  Array.from({ length: times }, (_, n) => by.map((one) => taken(one, from + n * 1000))).flat();

const restart = (at: number, reason: 'server-restarted' | 'connection-lost'): Change => ({
  kind: 'gap',
  at,
  from: at - 1000,
  to: at,
  reason,
});

function told(...changes: Change[][]) {
  const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 3_600_000 });
  for (const some of changes) analysis.observe(some);
  return (afterMinutes: number) =>
    inWords(analysis.findings(aTable([]), aTarget(), START + afterMinutes * MINUTE)).filter(
      ({ code }) => code === 'one-sided',
    );
}

const before = takenBy(['web-1', 'web-2'], START - MINUTE);
const failover = [restart(START, 'server-restarted')];

describe('one instance that gets all locks since a failover', () => {
  it('is told after five minutes, by its name and with how many there were', () => {
    const judge = told(before, failover, takenBy(['web-1'], START + MINUTE));
    expect(judge(4)).toEqual([]);
    expect(judge(6)).toMatchObject([
      {
        severity: 'warning',
        evidence: 'inferred',
        subject: { kind: 'class', label: 'order:*' },
        summary:
          'only web-1:7 has got these locks after Redis restarted 6 min ago; 2 instances did before',
      },
    ]);
    expect(judge(70)).toEqual([]);
  });

  it('is told as late as its rule says', () => {
    const settings = { longHoldMs: 3_600_000, noExpiryMs: 3_600_000 };
    const lasts = (minutes: number) => ({ kind: 'static' as const, value: minutes * MINUTE });
    const rule = { minutes: 2 * 60 };
    const analysis = createAnalysis({
      ...settings,
      thresholdOf: (code, name) =>
        code === 'one-sided' && name === 'order:*' ? lasts(rule.minutes) : null,
    });
    for (const some of [before, failover, takenBy(['web-1'], START + MINUTE)]) {
      analysis.observe(some);
    }
    const codesAt = (minutes: number) =>
      analysis
        .findings(aTable([]), aTarget(), START + minutes * MINUTE)
        .filter(({ code }) => code === 'one-sided');
    expect(codesAt(119)).toEqual([]);
    expect(codesAt(121)).toHaveLength(1);
    rule.minutes = 150;
    expect(codesAt(122)).toEqual([]);
  });

  it('is over when another gets one', () => {
    const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 3_600_000 });
    const at = (minutes: number) =>
      analysis
        .findings(aTable([]), aTarget(), START + minutes * MINUTE)
        .filter(({ code }) => code === 'one-sided');
    for (const some of [before, failover, takenBy(['web-1'], START + MINUTE)]) {
      analysis.observe(some);
    }
    expect(at(6)).toHaveLength(1);
    analysis.observe([taken('web-2', START + 7 * MINUTE)]);
    expect(at(8)).toEqual([]);
  });

  it('is none where only one did before, where few were taken, or where no server was restarted', () => {
    const alone = takenBy(['web-1'], START - MINUTE);
    const after = takenBy(['web-1'], START + MINUTE);
    expect(told(alone, failover, after)(6)).toEqual([]);
    const few = after.slice(0, 3).flatMap((each) => Array.from({ length: 5 }, () => each));
    expect(told(before, failover, few)(6)).toEqual([]);
    expect(told(before, [restart(START, 'connection-lost')], after)(6)).toEqual([]);
    const longAgo = takenBy(['web-2'], START - 30 * MINUTE);
    expect(told([...longAgo, ...alone], failover, after)(6)).toEqual([]);
  });
});
