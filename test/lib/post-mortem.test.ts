import { describe, expect, it } from 'vitest';
import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import { codeSpan, escapeMarkdown, postMortem, toDetail } from '@/lib/post-mortem';
import type { Alert, AlertDetail, AlertEvent } from '@/lib/protocol/alert';

const START = Date.UTC(2026, 10, 2, 14, 0, 0);

function anAlert(over: Partial<Alert> = {}): Alert {
  return {
    ...{
      id: 'a-1',
      code: 'long-hold',
      severity: 'warning',
      state: 'resolved',
      target: 'redis:6379',
    },
    subject: {
      kind: 'lock',
      label: 'order:7',
      locks: [{ db: 0, key: 'order:7', keyB64: 'b3JkZXI6Nw' }],
      deadlockId: null,
    },
    ...{ summary: 'held 47 min by host-1', remedy: 'Look at what the owner does.' },
    ...{ since: START, updatedAt: START, resolvedAt: START + 90_000, count: 1 },
    ...{ evidence: 'observed', acknowledgedBy: 'ada', acknowledgedReason: 'on it' },
    silencedUntil: null,
    labels: { class: 'order:*', namespace: 'order', owner: 'host-1', node: null },
    ...over,
  };
}

const anEvent = (over: Partial<AlertEvent> = {}): AlertEvent => ({
  ...{ alert: 'a-1', at: START, kind: 'fired', actor: null, text: 'Alerted: held 47 min' },
  evidence: 'observed',
  ...over,
});

const detail = (over: Partial<AlertDetail> = {}): AlertDetail => ({
  alert: anAlert(),
  events: [
    anEvent(),
    anEvent({
      at: START + 61_000,
      kind: 'acknowledged',
      actor: 'ada',
      text: 'on it',
      evidence: null,
    }),
  ],
  isCut: false,
  ...over,
});

describe('a post-mortem in Markdown', () => {
  it('tells what it was, when in UTC, by which evidence, who did what, and what to do', () => {
    const told = postMortem(detail(), 'markdown');
    expect(told.split('\n')[0]).toBe('# Long hold: `order:7`');
    expect(told).toContain('- condition since: 2026-11-02 14:00:00.000 UTC');
    expect(told).toContain(
      '- resolved at: 2026-11-02 14:01:30.000 UTC, 90 s after the condition began',
    );
    expect(told).toContain('- class: `order:*`');
    expect(told).toContain(
      '| 2026-11-02 14:00:00.000 | Alerted: held 47 min | Lockscope | observed |',
    );
    expect(told).toContain('| 2026-11-02 14:01:01.000 | on it | `ada` |  |');
    expect(told).toContain('- 2026-11-02 14:01:01.000 `ada`: on it');
    expect(told).toContain('## Remedy\n\nLook at what the owner does.');
  });

  it('tells since when the condition was there and when it alerted, or that it never did', () => {
    const of = (alertedAt: number | null): string =>
      postMortem(detail({ alert: anAlert({ alertedAt }) }), 'markdown');
    expect(of(START + 2000)).toContain('- alerted at: 2026-11-02 14:00:02.000 UTC');
    expect(of(null)).toContain('- never alerted');
    // An alert that was kept before this was known.
    expect(postMortem(detail(), 'markdown')).not.toContain('alerted at');
  });

  it('tells what ended it, by whom and with which evidence', () => {
    const ending: Alert['ending'] = {
      text: 'Broken by ada, who released `acct:2` by force; B held it.',
      ...{ sentences: [], at: START + 89_000, actor: 'ada', evidence: 'observed' },
    };
    expect(postMortem(detail({ alert: anAlert({ ending }) }), 'markdown')).toContain(
      '- how it ended: Broken by ada, who released \\`acct:2\\` by force; B held it. (observed, 2026-11-02 14:01:29.000 UTC)',
    );
  });

  it('names who acted once where the sentence does', () => {
    const event = anEvent({
      kind: 'acted',
      actor: 'ada',
      text: 'ada: lock.release of order:7, done',
    });
    const told = postMortem(detail({ events: [event] }), 'markdown');
    expect(told).toContain('- 2026-11-02 14:00:00.000 ada: lock.release of order:7, done');
  });

  it('says what it cost, and where nobody knows', () => {
    const impact = {
      from: START,
      to: START + 1,
      acquisitions: 3,
      lost: 1,
      heldMs: 61_000,
      waitedMs: null,
    };
    expect(postMortem(detail({ impact }), 'markdown')).toMatch(
      /held for 61 s in 3 acquisitions\n- lost without a release: 1\n- waiting: nobody can see/,
    );
    expect(postMortem(detail(), 'markdown')).toContain('no history is kept');
    const one = anAlert();
    const many: Alert = { ...one, subject: { ...one.subject, kind: 'locks' }, count: 800 };
    expect(postMortem(detail({ alert: many }), 'markdown')).toContain('  - and 799 more');
  });

  it('says that nobody acted, that it goes on, and that lines are missing, where that is so', () => {
    const alert = anAlert({ state: 'firing', resolvedAt: null });
    const told = postMortem(detail({ alert, events: [anEvent()], isCut: true }), 'markdown');
    expect(told).toContain('- not resolved yet');
    expect(told).toContain('Nobody did anything that is recorded.');
    expect(told).toContain('there were more');
  });

  it('lets nothing in a key, an owner or a reason become markup', () => {
    const key = '`x` | <script>alert(1)</script> [a](http://evil) **b** @team ![i](x)\n# head';
    const locks = [{ db: 0, key, keyB64: 'eA' }];
    const alert = anAlert({
      subject: { kind: 'lock', label: key, locks, deadlockId: null },
      summary: `held by ${key}`,
    });
    const told = postMortem(
      detail({ alert, events: [anEvent({ text: key, actor: '`|' })] }),
      'markdown',
    );
    const [row = ''] = told.split('\n').filter((line) => line.startsWith('| 2026'));
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    expect(told.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(5);
    const outsideCode = told.replace(/(`+) ?.*? ?\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/(?<!\\)<script|(?<!\\)\[a|(?<!\\)\*\*|http:\/\//);
  });
});

describe('text in Markdown', () => {
  it.each([
    ['a|b', 'a\\|b'],
    ['*a* _b_ ~c~', '\\*a\\* \\_b\\_ \\~c\\~'],
    ['https://x.test', 'https\\://x.test'],
    ['www.x.test', 'www\\.x.test'],
    ['two\nlines', 'two lines'],
    ['&lt;', '\\&lt;'],
  ])('is itself: %s', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  it.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    ['', '`  `'],
    ['a|b', '`a\\|b`'],
  ])('is code: %s', (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });
});

describe('a post-mortem in JSON', () => {
  it('is what it is made of', () => {
    expect(toDetail(JSON.parse(postMortem(detail(), 'json')))).toEqual(detail());
  });

  it('is refused where it is something else', () => {
    expect(() => toDetail({ alert: null })).toThrow();
  });
});

it('a duration is worded as elsewhere', () => {
  expect(inEnglish([sentence('timeline:lasted', { lastedMs: 90_000 })])).toBe('90 s');
});
