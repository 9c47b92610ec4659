import { describe, expect, it } from 'vitest';
import { bytesFromText, printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Matcher } from '@/lib/protocol/rules';
import { createAlertBook } from '@/server/alerts';
import { createSilences, SILENCE_KIND, type SilenceBook } from '@/server/alerts/silences';
import type { Finding } from '@/server/analysers/finding';
import { takeEvents } from '@/test/server/alerts/take-events';
import { aFinding, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const aSilence = (matcher: Matcher, until = START + MINUTE, id = 's1') => ({
  ...{ id, matcher, since: START, until, actor: 'ada', reason: 'a planned import' },
});

function aBook(...silences: ReturnType<typeof aSilence>[]) {
  const kept = createSilences();
  for (const silence of silences) kept.add(silence);
  return { silences: kept, book: createAlertBook({ target: 'main', silences: kept }) };
}

const about = (key: Bytes, labels: Finding['labels'] = {}): Finding =>
  aFinding(key, {
    labels,
    subject: {
      kind: 'lock',
      label: printable(key),
      locks: [{ db: 0, key: printable(key), keyB64: toBase64Url(key) }],
      deadlockId: null,
    },
  });

describe('a silence', () => {
  it('keeps what fits quiet, what comes later too, until it is over', () => {
    const { book } = aBook(aSilence({ class: 'import:*' }));
    const first = about('import:1', { class: 'import:*' });
    book.update([first, about('pay:1', { class: 'pay:*' })], START);
    const byLabel = (label: string) => book.open().find(({ subject }) => subject.label === label);
    expect(byLabel('import:1')).toMatchObject({
      ...{ state: 'silenced', silenceId: 's1', silencedUntil: START + MINUTE, silencedBy: 'ada' },
    });
    expect(byLabel('pay:1')).toMatchObject({ state: 'firing', silenceId: null });
    const both = [first, about('import:2', { class: 'import:*' })];
    book.update(both, START + 30 * SECOND);
    const states = () => book.open().map(({ state }) => state);
    expect(states()).toEqual(['silenced', 'silenced']);
    book.update(both, START + MINUTE - 1);
    expect(states()).toEqual(['silenced', 'silenced']);
    book.update(both, START + MINUTE);
    expect(states()).toEqual(['firing', 'firing']);
    expect(book.open()[0]).toMatchObject({ silenceId: null, silencedUntil: null });
  });

  it.each<[string, Matcher, boolean]>([
    ['the code', { code: 'long-hold' }, true],
    ['another code', { code: 'no-expiry' }, false],
    ['the severity', { severity: 'warning' }, true],
    ['another severity', { severity: 'critical' }, false],
    ['the namespace', { namespace: 'inv' }, true],
    ['another namespace', { namespace: 'pay' }, false],
    ['the class', { class: 'inv:*' }, true],
    ['the owner', { owner: 'host-1' }, true],
    ['another owner', { owner: 'host-2' }, false],
    ['the class, whose star is no pattern', { class: 'i*' }, false],
    ['classes by a pattern', { class: { glob: 'i*' } }, true],
    ['classes by a pattern whose star is meant', { class: { glob: 'inv:\\*' } }, true],
    ['classes by a pattern beside', { class: { glob: 'inv' } }, false],
    ['namespaces by a pattern', { namespace: { glob: '[a-j]n?' } }, true],
    ['owners by a pattern', { owner: { glob: 'host-?' } }, true],
    ['owners by a pattern beside', { owner: { glob: 'host-??' } }, false],
    ['keys by a pattern', { key: 'inv:?*' }, true],
    ['keys by a pattern beside', { key: 'inv' }, false],
    ['all that it gives', { code: 'long-hold', namespace: 'inv', key: '*7' }, true],
    ['but one of what it gives', { code: 'long-hold', namespace: 'inv', key: '*8' }, false],
  ])('fits by %s', (_by, matcher, isSilenced) => {
    const { book } = aBook(aSilence(matcher));
    book.update([about('inv:7', { class: 'inv:*', namespace: 'inv', owner: 'host-1' })], START);
    expect(book.open()[0]?.state).toBe(isSilenced ? 'silenced' : 'firing');
  });

  it('for a class with a star in its name leaves others alone that the name as a pattern would fit', () => {
    const { book } = aBook(aSilence({ class: 'order:*' }));
    book.update([about('a', { class: 'order:*' }), about('b', { class: 'order:*:item' })], START);
    const silenced = book.open().filter(({ state }) => state === 'silenced');
    expect(silenced.map(({ subject }) => subject.label)).toEqual(['a']);
  });

  it('fits no owner where none is known, whatever the pattern', () => {
    const { book } = aBook(aSilence({ owner: { glob: '?*' }, code: 'long-hold' }));
    book.update([about('a'), about('b', { owner: 'host-1' })], START);
    const silenced = book.open().filter(({ state }) => state === 'silenced');
    expect(silenced.map(({ subject }) => subject.label)).toEqual(['b']);
  });

  it('fits each alert by its own names, however many silences are tried on it', () => {
    const { book } = aBook(
      ...['*:größe', '*:gr??e', '*:[a-c]', 'zoll*'].map((key, i) =>
        aSilence({ key }, START + MINUTE, `s${i}`),
      ),
    );
    const keys = ['x:größe', 'y:größe', 'x:grube', 'x:c', 'x:d', 'zoll:größe', 'zo:größer'];
    book.update(
      keys.map((key) => about(bytesFromText(key))),
      START,
    );
    const silencedBy = new Map(
      book.open().map(({ subject, silenceId }) => [subject.label, silenceId ?? null]),
    );
    expect(keys.map((key) => silencedBy.get(key))).toEqual([
      's0',
      's0',
      's1',
      's2',
      null,
      's0',
      null,
    ]);
  });

  it('fits keys whatever is in them', () => {
    const { book } = aBook(aSilence({ key: 'größe:*' }));
    const bytes = (text: string): Bytes => String.fromCharCode(...new TextEncoder().encode(text));
    book.update([about(bytes('größe:1\n')), about('gr\xff')], START);
    expect(
      book
        .open()
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['firing', 'silenced']);
  });

  it('lets its alerts fire when it is ended before its time', () => {
    const { book, silences } = aBook(aSilence({ code: 'long-hold' }));
    book.update([about('a')], START);
    silences.end('s1');
    expect(book.update([about('a')], START + SECOND)).toMatchObject([{ state: 'firing' }]);
    expect(takeEvents(book).map(({ kind }) => kind)).toEqual(['fired', 'silenced', 'unsilenced']);
  });

  it('lets an alert fire that does not fit any more', () => {
    const { book } = aBook(aSilence({ severity: 'warning' }));
    book.update([about('a')], START);
    expect(book.open()[0]?.state).toBe('silenced');
    book.update([{ ...about('a'), severity: 'critical' }], START + SECOND);
    book.update([{ ...about('a'), severity: 'critical' }], START + 2 * SECOND);
    expect(book.open()[0]?.state).toBe('firing');
  });

  it('hands over to the one that lasts longest', () => {
    const { book } = aBook(
      aSilence({ code: 'long-hold' }, START + MINUTE, 'short'),
      aSilence({ key: '*' }, START + 5 * MINUTE, 'long'),
    );
    book.update([about('a')], START);
    expect(book.open()[0]).toMatchObject({ silenceId: 'long' });
    book.update([about('a')], START + 2 * MINUTE);
    expect(book.open()[0]?.state).toBe('silenced');
  });

  it('leaves alone what somebody looks after and what is silenced by itself', () => {
    const { book, silences } = aBook();
    book.update([about('a'), about('b')], START);
    const ids = book.open().map(({ id }) => id);
    book.acknowledge(ids[0] ?? '', 'bob', 'mine', START);
    book.silence(ids[1] ?? '', 'bob', 'mine', START + 10 * SECOND, START);
    silences.add(aSilence({ code: 'long-hold' }));
    book.update([about('a'), about('b')], START + SECOND);
    expect(book.get(ids[0] ?? '')).toMatchObject({ state: 'acknowledged', silenceId: null });
    expect(book.get(ids[1] ?? '')).toMatchObject({ silencedBy: 'bob', silenceId: null });
    book.update([about('a'), about('b')], START + 10 * SECOND);
    expect(book.get(ids[1] ?? '')).toMatchObject({ state: 'silenced', silenceId: 's1' });
  });

  it('is over for an alert that somebody acknowledges', () => {
    const { book } = aBook(aSilence({ code: 'long-hold' }));
    book.update([about('a')], START);
    book.acknowledge(book.open()[0]?.id ?? '', 'bob', 'I know', START + SECOND);
    book.update([about('a')], START + 2 * SECOND);
    expect(book.open()[0]).toMatchObject({ state: 'acknowledged', silencedUntil: null });
  });

  it('is kept over a restart, and what is over or not to be read is forgotten', () => {
    const documents = [
      aSilence({ code: 'long-hold' }),
      aSilence({ code: 'long-hold' }, START - 1, 'over'),
      { id: 'other', matcher: 'everything' },
    ].map((value) => ({ kind: SILENCE_KIND, id: value.id, value }));
    const silences: SilenceBook = createSilences();
    silences.restore(documents);
    expect(silences.list(START, () => 2)).toMatchObject([{ id: 's1', matching: 2 }]);
    expect(silences.dropOver(START)).toEqual(['over']);
    expect(silences.size).toBe(1);
  });
});
