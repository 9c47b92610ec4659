import { describe, expect, it } from 'vitest';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';
import { Rule, type Threshold } from '@/lib/protocol/rules';
import { createAnalysis } from '@/server/analysers';
import { createRules, type RuleDefaults } from '@/server/alerts/rules';
import { RULE_KIND, ruleId } from '@/server/alerts/rule-document';
import { aHold, aLock, aTable, aTarget, anEndedHold, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DEFAULTS: RuleDefaults = {
  longHoldMs: 2 * MINUTE,
  longHoldMsByClass: new Map([['order:*', 5 * SECOND]]),
  noExpiryMs: 40 * SECOND,
};

const fixed = (value: number): Threshold => ({ kind: 'static', value });

function set(
  rules: ReturnType<typeof createRules>,
  code: (typeof ALERT_CODES)[number],
  threshold: Threshold | null,
  lockClass: string | null = null,
): void {
  const setting = { ...rules.settingFor(code, lockClass), threshold };
  rules.save({ code, class: lockClass, setting, actor: 'ada', reason: 'tried out', at: START });
}

describe('the rules', () => {
  it('have one for each code, as the schema wants it, with what the environment sets', () => {
    const list = createRules(DEFAULTS).list(() => 0);
    expect(list.map(({ code }) => code)).toEqual(ALERT_CODES);
    for (const rule of list) expect(() => Rule.parse(rule)).not.toThrow();
    const byCode = new Map(list.map((rule) => [rule.code, rule]));
    expect(byCode.get('long-hold')).toMatchObject({
      unit: 'ms',
      standard: { threshold: fixed(2 * MINUTE), enabled: true, forMs: 0 },
      classes: [{ class: 'order:*', setting: { threshold: fixed(5 * SECOND) } }],
      changedBy: null,
    });
    expect(byCode.get('no-expiry')?.setting.threshold).toEqual(fixed(40 * SECOND));
    expect(byCode.get('waiter-pileup')).toMatchObject({ unit: 'count' });
    expect(byCode.get('takeover')).toMatchObject({ unit: null, setting: { threshold: null } });
  });

  it('hold for a class what was set for it, then what the environment sets, then what was set for all', () => {
    const rules = createRules(DEFAULTS);
    const limit = (lockClass: string | null) => rules.settingFor('long-hold', lockClass).threshold;
    set(rules, 'long-hold', fixed(MINUTE));
    expect(limit('pay:*')).toEqual(fixed(MINUTE));
    expect(limit('order:*')).toEqual(fixed(5 * SECOND));
    set(rules, 'long-hold', fixed(9 * SECOND), 'order:*');
    expect(limit('order:*')).toEqual(fixed(9 * SECOND));
    rules.reset('long-hold', 'order:*');
    rules.reset('long-hold', null);
    expect([limit('order:*'), limit('pay:*')]).toEqual([fixed(5 * SECOND), fixed(2 * MINUTE)]);
  });

  it('say who changed one last, and what the standard is beside it', () => {
    const rules = createRules(DEFAULTS);
    set(rules, 'no-expiry', fixed(SECOND));
    const rule = rules.list(() => 3).find(({ code }) => code === 'no-expiry');
    expect(rule).toMatchObject({
      ...{ open: 3, changedBy: 'ada', changedAt: START },
      setting: { threshold: fixed(SECOND) },
      standard: { threshold: fixed(40 * SECOND) },
    });
  });

  it('are as they were after a restart, without what cannot be read', () => {
    const before = createRules(DEFAULTS);
    set(before, 'no-expiry', fixed(SECOND), 'a b:*');
    const document = before.set('no-expiry', 'a b:*');
    const rules = createRules(DEFAULTS);
    rules.restore([
      { kind: RULE_KIND, id: ruleId('no-expiry', 'a b:*'), value: document, version: 7 },
      { kind: RULE_KIND, id: 'odd', value: { code: 'odd' }, version: 8 },
      { kind: 'silence', id: 'odd', value: document, version: 9 },
    ]);
    expect(rules.settingFor('no-expiry', 'a b:*').threshold).toEqual(fixed(SECOND));
    expect(rules.thresholdOf('no-expiry', 'c:*')).toBeNull();
    expect(rules.versionOf('no-expiry', 'a b:*')).toBe(7);
    rules.restore([]);
    expect(rules.set('no-expiry', 'a b:*')).toBeUndefined();
    expect(rules.versionOf('no-expiry', 'a b:*')).toBeNull();
  });
});

describe('a threshold that is set', () => {
  const lockOf = (heldMs: number) =>
    aLock('pay:1', {
      class: 'pay:*',
      hold: aHold('A', { since: START - heldMs, deadline: START + 60 * MINUTE }),
    });
  function anAnalysis() {
    const rules = createRules(DEFAULTS);
    const analysis = createAnalysis({ ...DEFAULTS, thresholdOf: rules.thresholdOf });
    const codes = (heldMs: number): string[] =>
      analysis.findings(aTable([lockOf(heldMs)]), aTarget(), START).map(({ code }) => code);
    return { rules, analysis, codes };
  }

  it('counts from the next judgement on, and no more once it is taken back', () => {
    const { rules, codes } = anAnalysis();
    expect(codes(30 * SECOND)).toEqual([]);
    set(rules, 'long-hold', fixed(20 * SECOND), 'pay:*');
    expect(codes(30 * SECOND)).toEqual(['long-hold']);
    expect(codes(19 * SECOND)).toEqual([]);
    rules.reset('long-hold', 'pay:*');
    expect(codes(30 * SECOND)).toEqual([]);
  });

  it('follows the class where it is adaptive, and takes the other figure while that is not known', () => {
    const { rules, analysis, codes } = anAnalysis();
    const adaptive = {
      kind: 'adaptive',
      factor: 3,
      least: SECOND,
      otherwise: 50 * SECOND,
    } as const;
    set(rules, 'long-hold', adaptive);
    expect([codes(49 * SECOND), codes(51 * SECOND)]).toEqual([[], ['long-hold']]);
    const lock = lockOf(0);
    for (let i = 0; i < 200; i++) {
      const at = START - MINUTE + i;
      const ended = { since: at - 2 * SECOND, end: at, endReason: 'released' } as const;
      const hold = anEndedHold(`t${i}`, { ...ended, generation: i + 1 });
      analysis.observe([{ kind: 'hold-ended', at, lock, hold }]);
    }
    expect([codes(5 * SECOND), codes(7 * SECOND)]).toEqual([[], ['long-hold']]);
    set(rules, 'long-hold', { ...adaptive, least: 30 * SECOND });
    expect(codes(7 * SECOND)).toEqual([]);
  });

  it('is the only one that counts: what is unusual for the class is not added to it', () => {
    const { rules, analysis, codes } = anAnalysis();
    const lock = lockOf(0);
    for (let i = 0; i < 200; i++) {
      const ended = { since: START - 100, end: START, endReason: 'released' } as const;
      const hold = anEndedHold(`t${i}`, { ...ended, generation: i + 1 });
      analysis.observe([{ kind: 'hold-ended', at: START, lock, hold }]);
    }
    expect(codes(11 * SECOND)).toEqual(['long-hold']);
    set(rules, 'long-hold', fixed(MINUTE));
    expect(codes(11 * SECOND)).toEqual([]);
    expect(codes(61 * SECOND)).toEqual(['long-hold']);
  });
});
