import { describe, expect, it } from 'vitest';
import { verbatim } from '@/lib/messages/sentence';
import type { AlertCode, AlertLabels } from '@/lib/protocol/alert';
import type { RuleSetting } from '@/lib/protocol/rules';
import { createAlertBook } from '@/server/alerts';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import { createRules, type RuleBook } from '@/server/alerts/rules';
import { takeEvents } from '@/test/server/alerts/take-events';
import { aFinding, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Rules in which this much of the setting of a code is changed. */
function rulesWith(
  to: Partial<RuleSetting>,
  { code = 'long-hold', lockClass = null }: { code?: AlertCode; lockClass?: string | null } = {},
  rules: RuleBook = createRules(),
): RuleBook {
  const setting = { ...rules.settingFor(code, lockClass), ...to };
  const by = { actor: 'ada', reason: 'tried out', at: START };
  rules.save({ code, class: lockClass, setting, ...by });
  return rules;
}

const aBook = (rules = createRules()): AlertBook => createAlertBook({ target: 'main', rules });
const ofClass = (lockClass: string): { labels: Partial<AlertLabels> } => ({
  labels: { class: lockClass },
});
const idOf = (book: AlertBook): string => book.open()[0]?.id ?? '';
const kinds = (book: AlertBook): string[] => takeEvents(book).map(({ kind }) => kind);

describe('a pending alert', () => {
  it('fires once its finding has lasted for as long as the rule wants, and not before', () => {
    const book = aBook(rulesWith({ forMs: 10 * SECOND }));
    expect(book.update([aFinding('a')], START)).toMatchObject([
      { state: 'pending', firesAt: START + 10 * SECOND },
    ]);
    expect(book.update([aFinding('a')], START + 10 * SECOND - 1)).toEqual([]);
    expect(book.update([aFinding('a')], START + 10 * SECOND)).toMatchObject([
      { state: 'firing', firesAt: null },
    ]);
    expect(kinds(book)).toEqual(['pending', 'fired']);
  });

  it('ends without having fired when its finding goes before', () => {
    const book = aBook(rulesWith({ forMs: 10 * SECOND, keepFiringMs: MINUTE }));
    book.update([aFinding('a')], START);
    expect(book.update([], START + SECOND)).toMatchObject([
      { state: 'resolved', firesAt: START + 10 * SECOND },
    ]);
    expect(kinds(book)).toEqual(['pending', 'resolved']);
  });

  it('waits anew when its finding comes back', () => {
    const book = aBook(rulesWith({ forMs: 10 * SECOND }));
    book.update([aFinding('a')], START);
    book.update([], START + 9 * SECOND);
    book.update([aFinding('a')], START + 10 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'pending', firesAt: START + 20 * SECOND }]);
    book.update([aFinding('a')], START + 20 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'firing' }]);
  });

  it('cannot be acknowledged or silenced, and is no code of its lock', () => {
    const book = aBook(rulesWith({ forMs: 10 * SECOND }));
    const locks = [{ db: 0, key: 'lock:a', keyB64: 'bG9jazph' }];
    const subject = { ...aFinding('a').subject, locks };
    book.update([aFinding('a', { subject })], START);
    const conflict = expect.objectContaining({ code: 'CONFLICT' });
    expect(() => book.acknowledge(idOf(book), 'ada', 'why', START)).toThrow(conflict);
    expect(() => book.silence(idOf(book), 'ada', 'why', undefined, START)).toThrow(conflict);
    expect(book.codesFor(0, 'lock:a')).toEqual([]);
    book.update([aFinding('a', { subject })], START + 10 * SECOND);
    expect(book.codesFor(0, 'lock:a')).toEqual(['long-hold']);
  });

  it('follows its rule when that changes while it waits', () => {
    const rules = rulesWith({ forMs: MINUTE });
    const book = aBook(rules);
    book.update([aFinding('a')], START);
    rulesWith({ forMs: 5 * SECOND }, {}, rules);
    book.update([aFinding('a')], START + 4 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'pending', firesAt: START + 5 * SECOND }]);
    book.update([aFinding('a')], START + 5 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'firing' }]);
  });

  it('goes on to wait after a restart, from when it was first seen', () => {
    const before = aBook(rulesWith({ forMs: MINUTE }));
    const stored = before.update([aFinding('a')], START);
    const book = aBook(rulesWith({ forMs: MINUTE }));
    book.restore(stored);
    book.update([aFinding('a')], START + 50 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'pending', firesAt: START + MINUTE }]);
    book.update([aFinding('a')], START + MINUTE);
    expect(book.open()).toMatchObject([{ id: stored[0]?.id, state: 'firing' }]);
  });

  it('is none where the finding is of a moment', () => {
    const book = aBook(rulesWith({ forMs: MINUTE }, { code: 'takeover' }));
    book.update([aFinding('t', { code: 'takeover', moment: true })], START);
    expect(book.open()).toMatchObject([{ state: 'firing', firesAt: null }]);
  });
});

describe('a rule', () => {
  it('keeps an alert firing for a while after its finding has gone', () => {
    const book = aBook(rulesWith({ keepFiringMs: 30 * SECOND }));
    book.update([aFinding('a')], START);
    expect(book.update([], START + SECOND)).toMatchObject([
      { state: 'firing', keptUntil: START + 31 * SECOND },
    ]);
    expect(book.update([], START + 31 * SECOND - 1)).toEqual([]);
    expect(book.update([], START + 31 * SECOND)).toMatchObject([
      { state: 'resolved', keptUntil: null },
    ]);
    expect(kinds(book)).toEqual(['fired', 'changed', 'resolved']);
  });

  it('has a kept alert go on when its finding comes back in time', () => {
    const book = aBook(rulesWith({ keepFiringMs: 30 * SECOND }));
    book.update([aFinding('a')], START);
    const id = idOf(book);
    book.update([], START + SECOND);
    book.update([aFinding('a')], START + 20 * SECOND);
    expect(book.open()).toMatchObject([{ id, state: 'firing', keptUntil: null, flaps: 1 }]);
    book.update([aFinding('a')], START + 5 * MINUTE);
    expect(book.open()).toHaveLength(1);
  });

  it('that is switched off makes no alert, and closes one that is open', () => {
    const rules = createRules();
    const book = aBook(rules);
    book.update([aFinding('a'), aFinding('b', { code: 'no-expiry' })], START);
    rulesWith({ enabled: false }, {}, rules);
    const both = [aFinding('a'), aFinding('b', { code: 'no-expiry' }), aFinding('c')];
    const changed = book.update(both, START + SECOND);
    expect(changed).toMatchObject([{ code: 'long-hold', state: 'resolved' }]);
    expect(book.open()).toMatchObject([{ code: 'no-expiry' }]);
    rules.reset('long-hold', null);
    book.update(both, START + 2 * SECOND);
    expect(book.open()).toHaveLength(3);
  });

  it('gives an alert another severity, for one class alone', () => {
    const rules = rulesWith({ severity: 'critical' }, { lockClass: 'pay:*' });
    const book = aBook(rules);
    book.update([aFinding('a', ofClass('pay:*')), aFinding('b', ofClass('log:*'))], START);
    expect(book.open().map(({ severity }) => severity)).toEqual(['critical', 'warning']);
    rules.reset('long-hold', 'pay:*');
    book.update([aFinding('a', ofClass('pay:*')), aFinding('b', ofClass('log:*'))], START + SECOND);
    expect(book.open().map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  });
});

describe('an alert that keeps coming back', () => {
  /** There for a second, gone for nine, so many times; ends gone. */
  function flap(book: AlertBook, times: number, from: number): number {
    let at = from;
    for (let i = 0; i < times; i++) {
      book.update([aFinding('a', { since: at })], at);
      book.update([], at + SECOND);
      at += 10 * SECOND;
    }
    return at - 9 * SECOND;
  }

  it('is one alert that stays open from the fourth return until it is calm for two minutes', () => {
    const book = aBook();
    flap(book, 4, START);
    expect(book.open()).toEqual([]);
    const gone = flap(book, 1, START + 40 * SECOND);
    expect(book.open()).toMatchObject([
      { state: 'firing', flaps: 4, keptUntil: gone + 2 * MINUTE },
    ]);
    const id = idOf(book);
    const again = flap(book, 3, gone + 9 * SECOND);
    expect(book.open()).toMatchObject([{ id, flaps: 7 }]);
    expect(book.update([], again + 2 * MINUTE - 1)).toEqual([]);
    expect(book.update([], again + 2 * MINUTE)).toMatchObject([{ id, state: 'resolved' }]);
    expect(kinds(book).filter((kind) => kind === 'flapping')).toHaveLength(1);
  });

  it('is none when it comes back seldom', () => {
    const book = aBook();
    for (let i = 0; i < 8; i++) {
      const at = START + i * 4 * MINUTE;
      book.update([aFinding('a', { since: at })], at);
      book.update([], at + SECOND);
      expect(book.open()).toEqual([]);
    }
    expect(kinds(book)).not.toContain('flapping');
  });

  it('is known again when the returns are far enough apart to be alerts of their own', () => {
    const book = aBook();
    for (let i = 0; i < 5; i++) {
      const at = START + i * MINUTE;
      book.update([aFinding('a', { since: at })], at);
      book.update([], at + SECOND);
    }
    expect(book.open()).toMatchObject([{ state: 'firing', flaps: 4 }]);
  });
});

describe('when an alert alerted', () => {
  it('is told apart from since when its condition is there', () => {
    const book = aBook(rulesWith({ forMs: 10 * SECOND }));
    const finding = aFinding('a', { since: START - MINUTE });
    expect(book.update([finding], START)).toMatchObject([
      { since: START - MINUTE, alertedAt: null },
    ]);
    expect(book.update([finding], START + 10 * SECOND)).toMatchObject([
      { since: START - MINUTE, alertedAt: START + 10 * SECOND },
    ]);
    book.update([], START + 11 * SECOND);
    expect(book.update([finding], START + 12 * SECOND)).toMatchObject([
      { state: 'firing', alertedAt: START + 10 * SECOND },
    ]);
  });

  it('is at once where nothing is to be waited for, and never where the condition went before', () => {
    expect(aBook().update([aFinding('a')], START)).toMatchObject([{ alertedAt: START }]);
    const book = aBook(rulesWith({ forMs: 10 * SECOND }));
    book.update([aFinding('a')], START);
    expect(book.update([], START + SECOND)).toMatchObject([{ state: 'resolved', alertedAt: null }]);
  });
});

describe('how a condition ended', () => {
  const ending = {
    finding: 'a',
    sentences: [verbatim('Broken by ada.')],
    ...{ at: START + SECOND, actor: 'ada', evidence: 'inferred' as const },
  };

  it('is told by the alert that resolves and its timeline, on evidence of its own', () => {
    const book = aBook();
    book.update([aFinding('a'), aFinding('b')], START);
    book.noteEndings([ending]);
    const resolved = book.update([], START + 2 * SECOND);
    expect(resolved.map((alert) => alert.ending)).toEqual([
      {
        text: 'Broken by ada.',
        ...{ sentences: ending.sentences, at: START + SECOND, actor: 'ada' },
        evidence: 'inferred',
      },
      null,
    ]);
    const lines = takeEvents(book).filter(({ kind }) => kind === 'resolved');
    expect(lines).toMatchObject([
      { text: 'Resolved: the condition lasted 2 s. Broken by ada.', evidence: 'inferred' },
      { text: 'Resolved: the condition lasted 2 s.', evidence: 'observed' },
    ]);
  });

  it('is kept while the rule keeps the alert, and forgotten when it is there again', () => {
    const book = aBook(rulesWith({ keepFiringMs: MINUTE }));
    book.update([aFinding('a')], START);
    book.noteEndings([ending]);
    book.update([], START + SECOND);
    expect(book.open()).toMatchObject([{ state: 'firing', ending: { text: 'Broken by ada.' } }]);
    book.update([aFinding('a')], START + 2 * SECOND);
    expect(book.open()).toMatchObject([{ state: 'firing', ending: null }]);
  });

  it('is forgotten as well where it was read back and is not missed for long enough to be gone', () => {
    const book = aBook();
    book.restore(aBook().update([aFinding('a')], START));
    book.noteEndings([ending]);
    book.update([], START + SECOND);
    expect(book.open()).toMatchObject([{ state: 'firing', ending: { text: 'Broken by ada.' } }]);
    expect(book.update([aFinding('a')], START + 2 * SECOND)).toMatchObject([{ ending: null }]);
  });

  it('is nothing of a condition that is still found', () => {
    const book = aBook();
    book.update([aFinding('a')], START);
    book.noteEndings([ending]);
    book.update([aFinding('a')], START + SECOND);
    book.update([], START + 2 * SECOND);
    expect(book.ended()).toMatchObject([{ ending: null }]);
  });
});

describe('the timeline of an alert', () => {
  it('tells each step with what the alert said then, and who did it', () => {
    const book = aBook();
    book.update([aFinding('a')], START);
    const id = idOf(book);
    book.acknowledge(id, 'ada', 'on it', START + SECOND);
    book.update([aFinding('a', { severity: 'critical' })], START + 2 * SECOND);
    book.update([], START + 61 * SECOND);
    expect(takeEvents(book)).toMatchObject([
      { alert: id, at: START, kind: 'fired', actor: null, text: 'Alerted: held 61 s by A' },
      { kind: 'acknowledged', actor: 'ada', text: 'ada looks after it: on it', evidence: null },
      { kind: 'changed', text: 'Now critical: held 61 s by A', evidence: 'observed' },
      { kind: 'resolved', text: 'Resolved: the condition lasted 61 s.' },
    ]);
    expect(takeEvents(book)).toEqual([]);
  });

  it('does not tell figures that move on, and a count that grows only now and then', () => {
    const book = aBook();
    for (let i = 0; i < 100; i++) {
      const moved = { count: 1 + i, summary: [verbatim(`${i} times`)] };
      book.update([aFinding('a', moved)], START + i * 500);
    }
    expect(kinds(book)).toHaveLength(5);
  });

  it('is bounded while nobody saves it', () => {
    const book = aBook();
    for (let i = 0; i < 12_000; i++) {
      const at = START + i * 2 * SECOND;
      book.update([aFinding(`${i}`)], at);
    }
    expect(takeEvents(book)).toHaveLength(20_000);
  });

  it('can be asked for by one alert before it is saved', () => {
    const book = aBook();
    book.update([aFinding('a'), aFinding('b')], START);
    const id = idOf(book);
    expect(book.unsavedEvents(id)).toMatchObject([{ alert: id, kind: 'fired' }]);
    takeEvents(book);
    expect(book.unsavedEvents(id)).toEqual([]);
  });
});
