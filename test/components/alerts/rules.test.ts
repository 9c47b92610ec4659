import { describe, expect, it } from 'vitest';
import { LONGEST_MS, readDuration, writeDuration } from '@/components/alerts/rules/duration-input';
import { formOf, sameSetting, settingOf } from '@/components/alerts/rules/rule-form';
import { isMatcher, similarTo } from '@/components/alerts/silences/matching';
import { compileMatcher } from '@/lib/analysis/alert-matcher';
import { sampleRules } from '@/components/gallery/alerts';
import { sampleAlerts } from '@/components/gallery/incidents';
import type { Alert } from '@/lib/protocol/alert';
import { RuleSetting, type Matcher } from '@/lib/protocol/rules';

describe('a typed duration', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['5 min', 300_000],
    ['1h 30m', 5_400_000],
    ['1h30m', 5_400_000],
    ['1.5 h', 5_400_000],
    ['1,5h', 5_400_000],
    ['250ms', 250],
    ['2D', 172_800_000],
    ['0', 0],
    ['30d', LONGEST_MS],
  ])('%s is read', (text, ms) => {
    expect(readDuration(text)).toEqual({ ms, error: null });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['90', 'no-unit'],
    ['5x', 'unreadable'],
    ['-5s', 'unreadable'],
    ['5s!', 'unreadable'],
    ['s', 'unreadable'],
    ['1e3s', 'unreadable'],
    ['31d', 'too-long'],
    ['9'.repeat(400).concat('d'), 'too-long'],
  ])('%s is refused: %s', (text, error) => {
    expect(readDuration(text)).toEqual({ ms: null, error });
  });

  it('is written so that it is read as the same', () => {
    for (const ms of [0, 1, 999, 1000, 90_000, 5_400_250, 86_400_000, LONGEST_MS - 1]) {
      expect(readDuration(writeDuration(ms))).toEqual({ ms, error: null });
    }
    expect(writeDuration(90_000)).toBe('1m 30s');
  });
});

describe('a rule in the fields of its dialog', () => {
  const { rules } = sampleRules(1e12);
  const settings = rules.flatMap((rule) =>
    [rule.setting, ...rule.classes.map(({ setting }) => setting)].map((setting) => ({
      unit: rule.unit,
      setting,
    })),
  );

  it('comes back as it was, where nobody changes it', () => {
    expect(settings.length).toBeGreaterThan(rules.length);
    for (const { unit, setting } of settings) {
      expect(settingOf(formOf(setting, unit), unit)).toEqual({ setting, errors: {} });
    }
  });

  it('is one that the server takes', () => {
    for (const { unit, setting } of settings) {
      const read = settingOf(formOf(setting, unit), unit).setting;
      expect(RuleSetting.safeParse(read).success).toBe(true);
    }
  });

  it('names each field that cannot be read, and is none then', () => {
    const [{ setting, unit } = { setting: null, unit: null }] = settings.filter(
      (each) => each.setting.threshold?.kind === 'adaptive',
    );
    if (!setting) throw new Error('the gallery has no adaptive rule');
    const form = { ...formOf(setting, unit), forText: '5', factorText: '0.5', leastText: '' };
    expect(settingOf(form, unit)).toEqual({
      setting: null,
      errors: { forText: 'no-unit', factorText: 'factor', leastText: 'empty' },
    });
  });

  it('takes a count as a count and not as a time', () => {
    const setting: RuleSetting = {
      enabled: true,
      severity: null,
      forMs: 0,
      keepFiringMs: 0,
      threshold: { kind: 'static', value: 20 },
    };
    const form = formOf(setting, 'count');
    expect(form.valueText).toBe('20');
    expect(settingOf({ ...form, valueText: '20s' }, 'count').errors).toEqual({
      valueText: 'no-number',
    });
    expect(settingOf({ ...form, valueText: '9'.repeat(20) }, 'count').errors).toEqual({
      valueText: 'too-large',
    });
    expect(sameSetting(setting, { ...setting, threshold: { kind: 'static', value: 21 } })).toBe(
      false,
    );
  });
});

describe('a silence', () => {
  const alerts = sampleAlerts(1e12);
  const [first] = alerts;
  if (!first) throw new Error('the gallery has no alerts');
  const fitting = (matcher: Matcher, some: readonly Alert[]) =>
    some.filter(compileMatcher(matcher));
  const idsOf = (found: readonly Alert[]) => found.map(({ id }) => id);

  it('fits what has all that it gives', () => {
    expect(idsOf(fitting({ code: 'long-hold' }, alerts))).toEqual(['a3', 'a8']);
    expect(idsOf(fitting({ code: 'long-hold', owner: 'nobody' }, alerts))).toEqual([]);
    expect(idsOf(fitting({ severity: 'critical', key: 'billing:*' }, alerts))).toEqual(['a6']);
  });

  it('for what is similar fits the alert itself and others of its kind and class', () => {
    const similar: Alert = { ...first, id: 'similar' };
    expect(idsOf(fitting(similarTo(first), [first, similar]))).toEqual(['a1', 'similar']);
  });

  it('for an alert about one key alone fits no other key, whatever signs are in it', () => {
    const key = 'job:[a-z]*?';
    const alone: Alert = {
      ...first,
      labels: { class: null, namespace: null, owner: null, node: null },
      subject: { ...first.subject, locks: [{ db: 0, key, keyB64: '' }] },
    };
    const other: Alert = {
      ...alone,
      subject: { ...alone.subject, locks: [{ db: 0, key: 'job:abc', keyB64: '' }] },
    };
    expect(fitting(similarTo(alone), [alone, other])).toEqual([alone]);
  });

  it('for everything is none', () => {
    expect(isMatcher({})).toBe(false);
    expect(isMatcher({ code: undefined })).toBe(false);
    expect(isMatcher({ owner: 'w' })).toBe(true);
    for (const glob of ['*', '**', '?*', '*?', '[^]*']) {
      expect([{ key: glob }, { class: { glob } }, { owner: { glob } }].map(isMatcher)).toEqual([
        false,
        false,
        false,
      ]);
      expect(isMatcher({ code: 'long-hold', key: glob })).toBe(true);
    }
    expect(isMatcher({ namespace: { glob: '*' } })).toBe(false);
  });

  it('for whatever has a namespace leaves out what has none', () => {
    const some = ['shop', ''].map((namespace) => ({
      ...first,
      labels: { class: null, namespace, owner: null, node: null },
    }));
    const matcher: Matcher = { namespace: { glob: '?*' } };
    expect(isMatcher(matcher)).toBe(true);
    expect(fitting(matcher, some)).toEqual([some[0]]);
  });
});
