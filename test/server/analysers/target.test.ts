import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import { sentence, verbatim } from '@/lib/messages/sentence';
import type { TargetWarning } from '@/lib/protocol/target';
import { aHold, aLock, aLostTarget, aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;
const empty = aTable([]);
function anAnalysis() {
  const analysis = createAnalysis({ longHoldMs: 60_000, noExpiryMs: 30_000 });
  return {
    ...analysis,
    findings: (...asked: Parameters<typeof analysis.findings>) =>
      inWords(analysis.findings(...asked)),
  };
}

const warning = (code: string, message = `${code} is the case`): TargetWarning => ({
  code,
  message,
  remedy: `end ${code}`,
});

describe('a warning of the watch', () => {
  it('is a finding about the target from its first sight until it is gone', () => {
    const analysis = anAnalysis();
    const insecure = aTarget({ warnings: [warning('insecure-redis')] });
    const [found, ...others] = analysis.findings(empty, insecure, START);
    expect(others).toEqual([]);
    expect(found).toEqual({
      id: 'insecure-redis:main',
      code: 'insecure-redis',
      severity: 'warning',
      subject: { kind: 'target', label: 'main', locks: [], deadlockId: null },
      summary: 'insecure-redis is the case',
      remedy: 'end insecure-redis',
      since: START,
      count: 1,
      evidence: 'observed',
      moment: false,
    });
    expect(analysis.findings(empty, insecure, START + 60 * SECOND)[0]?.since).toBe(START);
    expect(analysis.findings(empty, aTarget(), START + 61 * SECOND)).toEqual([]);
    expect(analysis.findings(empty, insecure, START + 90 * SECOND)[0]?.since).toBe(
      START + 90 * SECOND,
    );
  });

  it('of another db lasts three seconds before it is told: the watch is looking into it', () => {
    const analysis = anAnalysis();
    const other = aTarget({ warnings: [warning('db-mismatch')] });
    expect(analysis.findings(empty, other, START)).toEqual([]);
    expect(analysis.findings(empty, other, START + 3 * SECOND)).toMatchObject([
      { code: 'db-mismatch', since: START },
    ]);
    expect(analysis.findings(empty, aTarget(), START + 4 * SECOND)).toEqual([]);
    expect(analysis.findings(empty, other, START + 5 * SECOND)).toEqual([]);
  });

  it('is critical when it says that the console is blind, and several of one code are one finding', () => {
    const warnings = [
      warning('blind', 'acquires are not seen.'),
      warning('blind', 'releases are not seen.'),
      warning('old-redis'),
    ];
    const found = anAnalysis().findings(empty, aTarget({ warnings }), START);
    expect(found).toMatchObject([
      {
        code: 'blind',
        severity: 'critical',
        count: 2,
        summary: 'acquires are not seen. releases are not seen.',
        remedy: 'end blind',
      },
      { code: 'old-redis', severity: 'info' },
    ]);
  });
});

describe('a lost connection', () => {
  it('is critical after a second and says since when nothing is current', () => {
    const analysis = anAnalysis();
    analysis.observe([{ kind: 'connection', at: START, connected: false }]);
    expect(analysis.findings(empty, aLostTarget(), START + SECOND)).toEqual([]);
    expect(analysis.findings(empty, aLostTarget(), START + 2 * SECOND)).toMatchObject([
      {
        id: 'blind:main',
        severity: 'critical',
        since: START,
        summary: 'not connected to Redis since 14:00:00 UTC; nothing here is current',
      },
    ]);
    analysis.observe([{ kind: 'connection', at: START + 3 * SECOND, connected: true }]);
    expect(analysis.findings(empty, aTarget(), START + 3 * SECOND)).toEqual([]);
  });

  it('is not told within its first second by the watch either', () => {
    const analysis = anAnalysis();
    const lost = { ...aLostTarget(), warnings: [warning('blind')] };
    expect(analysis.findings(empty, lost, START)).toEqual([]);
    expect(analysis.findings(empty, lost, START + 2 * SECOND)).toHaveLength(1);
  });

  it('is noticed without being told, and takes the place of other blindness', () => {
    const analysis = anAnalysis();
    const lost = { ...aLostTarget(), warnings: [warning('blind'), warning('old-redis')] };
    analysis.findings(empty, lost, START);
    const found = analysis.findings(empty, lost, START + 5 * SECOND);
    expect(found.map(({ code }) => code)).toEqual(['blind', 'old-redis']);
    expect(found[0]?.summary).toContain('not connected');
  });
});

describe('a key that was built from an empty variable', () => {
  const started = (key: string) => {
    const hold = aHold('A', { deadline: START + 3600 * SECOND });
    const lock = aLock(key, { hold });
    return {
      lock,
      change: { kind: 'hold-started', at: START, lock, hold, previousEnd: null },
    } as const;
  };

  it.each([
    'qoder:lock:',
    'order_sync:',
    'lock:order/',
    'lock:{}',
    'lock:order:undefined',
    'lock:order:null',
    'inv:{undefined}',
    'lock:[object Object]',
  ])('is found: %s', (key) => {
    const analysis = anAnalysis();
    const { lock, change } = started(key);
    analysis.observe([change]);
    expect(analysis.findings(aTable([lock]), aTarget(), START)).toMatchObject([
      { code: 'empty-key', evidence: 'inferred', subject: { label: key } },
    ]);
  });

  it.each(['lock:order:17', 'lock:nullable', 'lock:aGVsbG8-', 'lock:undefined-behaviour'])(
    'is not suspected: %s',
    (key) => {
      const analysis = anAnalysis();
      const { lock, change } = started(key);
      analysis.observe([change]);
      expect(analysis.findings(aTable([lock]), aTarget(), START)).toEqual([]);
    },
  );

  it('is told while the lock is used and for ten minutes after', () => {
    const analysis = anAnalysis();
    const { change } = started('lock:');
    analysis.observe([change]);
    const free = aTable([aLock('lock:', { changedAt: START + 60 * SECOND })]);
    expect(analysis.findings(free, aTarget(), START + 600 * SECOND)).toHaveLength(1);
    expect(analysis.findings(free, aTarget(), START + 661 * SECOND)).toEqual([]);
  });
});

describe('a warning with sentences', () => {
  it('gives them to its finding, each once', () => {
    const said = { message: [sentence('warning:polling', {})], remedy: [verbatim('HELLO 3')] };
    const blind = { ...warning('blind'), sentences: said };
    const target = aTarget({ warnings: [blind, blind] });
    const [found] = createAnalysis({ longHoldMs: 1, noExpiryMs: 1 }).findings(empty, target, START);
    expect(found?.summary).toEqual(said.message);
    expect(found?.remedy).toEqual(said.remedy);
  });
});
