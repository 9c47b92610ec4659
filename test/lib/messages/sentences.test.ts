import { describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { inEnglish } from '@/lib/messages/in-english';
import { renderSentence, renderSentences } from '@/lib/messages/render-sentence';
import { listOf, sentence, verbatim } from '@/lib/messages/sentence';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const wording = { catalogue: en.sentences, clock: (at: number) => `at ${at}` };

const blanksOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

const sampleOf = (name: string) => (name.endsWith('Words') ? listOf(['releases']) : 1);

describe('a duration in a sentence', () => {
  it.each([
    [0, '0 ms'],
    [-5, '0 ms'],
    [340.7, '341 ms'],
    [1500, '1.5 s'],
    [1696, '1.7 s'],
    [1999, '2 s'],
    [2000, '2 s'],
    [60 * SECOND, '60 s'],
    [119_400, '119 s'],
    [2 * MINUTE, '2 min'],
    [9 * MINUTE + 12 * SECOND, '9 m 12 s'],
    [47 * MINUTE + 59 * SECOND, '48 min'],
    [3 * HOUR + 20 * MINUTE, '3 h 20 m'],
    [24 * HOUR, '1 d'],
    [52 * HOUR, '2 d 4 h'],
  ])('of %d ms is said as %s', (heldMs, text) => {
    const said = sentence('long-hold:held', { heldMs, owner: 'A' });
    expect(inEnglish([said])).toBe(`held ${text} by A`);
  });
});

describe('a sentence', () => {
  it('tells a time of day in UTC where the zone of the reader is not known', () => {
    const deadlineAt = Date.UTC(2026, 0, 1, 14, 3, 10, 999);
    const said = sentence('long-hold:ends', { deadlineAt });
    expect(inEnglish([said])).toBe('Unless renewed it frees itself at 14:03:10 UTC.');
    expect(renderSentence(wording, said)).toContain(`at ${deadlineAt}`);
  });

  it('has words for a time that never comes', () => {
    const said = sentence('long-hold:ends', { deadlineAt: 8_640_000_000_000_000 });
    expect(inEnglish([said])).toBe('Unless renewed it frees itself at the end of time.');
  });

  it('has a wording for one and for several', () => {
    expect(inEnglish([sentence('evicted:held', { count: 1, owner: 'A' })])).toContain('while A');
    expect(inEnglish([sentence('evicted:held', { count: 2, owner: 'A' })])).toContain('2 held');
  });

  it('has words for an owner that nobody knows', () => {
    const said = sentence('long-hold:held', { heldMs: SECOND, owner: null });
    expect(inEnglish([said])).toBe('held 1 s by an unknown owner');
  });

  it('tells a list by the words of the catalogue', () => {
    const unseenWords = listOf(['string-acquires', 'lapses']);
    expect(inEnglish([sentence('warning:unannounced-unreadable', { unseenWords })])).toBe(
      'Redis does not announce acquisitions of string locks, lapsed leases (notify-keyspace-events cannot be read).',
    );
    const unknown = { id: 'warning:unannounced-unreadable', values: { unseenWords: 'made-up' } };
    expect(renderSentence(wording, unknown)).toBeNull();
  });

  it('takes what fills a blank as it is, whatever it contains', () => {
    const said = sentence('long-hold:held', { heldMs: SECOND, owner: '{heldMs} $& {owner}' });
    expect(inEnglish([said])).toBe('held 1 s by {heldMs} $& {owner}');
  });

  it('is not said half: without a value, or where the catalogue does not have it', () => {
    expect(renderSentence(wording, { id: 'long-hold:held', values: { owner: 'A' } })).toBeNull();
    expect(renderSentence(wording, { id: 'toString', values: {} })).toBeNull();
    const known = verbatim('CONFIG GET save');
    expect(renderSentences(wording, [known, { id: 'of-tomorrow', values: {} }])).toBeNull();
    expect(renderSentences(wording, [known, known])).toBe('CONFIG GET save CONFIG GET save');
  });

  it('compiles only when the catalogue has it and every blank has a value', () => {
    // @ts-expect-error no such sentence
    sentence('made-up', {});
    // @ts-expect-error no owner
    sentence('long-hold:held', { heldMs: 1 });
    // @ts-expect-error a duration is a number
    sentence('long-hold:held', { heldMs: '1 s', owner: 'A' });
    expect(inEnglish([sentence('long-hold:look', {})])).toContain('Look at');
  });
});

/** Of what there are never fewer than two where the sentence is said, or always far more. */
const NEVER_ONE: readonly string[] = [
  'multi-lock-slots:split',
  'multi-lock-slots:cluster',
  'lost-in-failover:several',
  'overruns:of-lock',
  'overruns:of-holder',
  'one-sided:only',
  'flapping:lost',
  'lease-too-short:outlived',
  'index-bloat:longer',
  'blocking-chain:holds-up',
  'deadlock:long-cycle',
  'deadlock:knot',
  'notify:title-joined',
  'notify:joined',
  'notify:too-many-channels',
  'pin:too-many',
  'too-many:queries',
  'replica-acknowledgement:ok',
];
/** A number and what there are so many of: the word behind the blank, or behind one in between, is a plural. */
const COUNTED =
  /\{(?:count|other|most|instances|locks|silent|replicas)\} (?:of the |more |client |held |last )?[a-z]*[a-rt-z]s\b/;

describe('the sentences of the catalogue', () => {
  it('that count something have a wording for one of it', () => {
    const wrong = Object.entries(en.sentences).flatMap(([id, template]) =>
      typeof template === 'string' && COUNTED.test(template) && !NEVER_ONE.includes(id) ? [id] : [],
    );
    expect(wrong).toEqual([]);
  });

  it('are all said whole when their blanks are filled', () => {
    for (const [id, template] of Object.entries(en.sentences)) {
      const wordings = typeof template === 'string' ? [template] : Object.values(template);
      const values = Object.fromEntries(
        wordings.flatMap(blanksOf).map((name) => [name, sampleOf(name)]),
      );
      const counts = typeof template === 'string' ? [1] : [1, 2];
      for (const count of counts) {
        const said =
          typeof template === 'string' ? values : { ...values, [template.plural]: count };
        expect([id, renderSentence(wording, { id, values: said })]).not.toContain(null);
      }
    }
  });
});
