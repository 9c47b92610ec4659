import { describe, expect, it } from 'vitest';
import type { Analyser, View } from '@/server/analysers/analyser';
import { guarded } from '@/server/analysers/guarded';
import { createAnalysis } from '@/server/analysers';
import { aHold, aLock, aTable, aTarget, inWords, START } from '@/test/support/records';

const view = (now: number): View => ({
  table: aTable([]),
  target: aTarget(),
  settings: { longHoldMs: 1000, noExpiryMs: 1000 },
  usual: { quantile: () => null },
  overruns: { ofLock: () => null, ofHolder: () => null },
  now,
});

describe('an analyser that throws', () => {
  it('keeps its last findings and is told as a finding until it works again', () => {
    let fails = false;
    const own = createAnalysis({ longHoldMs: 1, noExpiryMs: 1 }).findings(
      aTable([aLock('lock:a', { hold: aHold('t', { deadline: null }) })]),
      aTarget(),
      START + 60_000,
    );
    const analyser: Analyser = {
      needs: 'table',
      findings: () => {
        if (fails) throw new RangeError('Invalid time value');
        return own;
      },
    };
    const safe = guarded({ name: 'long-hold', analyser });
    expect(safe.findings(view(START))).toEqual(own);
    fails = true;
    const told = inWords(safe.findings(view(START + 1)));
    const failed = told.find(({ code }) => code === 'judging-failed');
    expect(failed?.summary).toContain('long-hold');
    expect(safe.findings(view(START + 2))).toHaveLength(own.length + 1);
    fails = false;
    expect(safe.findings(view(START + 3))).toEqual(own);
  });
});

describe('a deadline at the end of time', () => {
  it('is judged like any other', () => {
    const hold = aHold('t', { since: START, deadline: 8_640_000_000_000_000 });
    const findings = createAnalysis({ longHoldMs: 1000, noExpiryMs: 1000 }).findings(
      aTable([aLock('lock:max', { hold })]),
      aTarget(),
      START + 60_000,
    );
    expect(findings.map(({ code }) => code)).toEqual(['long-hold']);
  });
});
