import { describe, expect, it } from 'vitest';
import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { createAlertBook } from '@/server/alerts';
import { verbatim } from '@/lib/messages/sentence';
import type { Finding } from '@/server/analysers/finding';
import { aFinding, START } from '@/test/support/records';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;

const NOBODY = { class: null, namespace: null, owner: null, node: null };
const aBook = () => createAlertBook({ target: 'main' });

const about = (key: Bytes, db = 0): Finding['subject'] => ({
  kind: 'lock',
  label: printable(key),
  locks: [{ db, key: printable(key), keyB64: toBase64Url(key) }],
  deadlockId: null,
});

describe('an alert', () => {
  it('fires with its finding, stays silent while nothing changes, and resolves when it has gone', () => {
    const book = aBook();
    const [fired, ...others] = book.update([aFinding('a')], START);
    expect(others).toEqual([]);
    expect(fired).toMatchObject({ state: 'firing', target: 'main', since: START, count: 1 });
    expect(book.update([aFinding('a')], START + SECOND)).toEqual([]);
    const [resolved] = book.update([], START + 2 * SECOND);
    expect(resolved).toMatchObject({
      id: fired?.id,
      state: 'resolved',
      resolvedAt: START + 2 * SECOND,
    });
    expect(book.open()).toEqual([]);
    expect(book.update([], START + 3 * SECOND)).toEqual([]);
  });

  it('keeps its id over restarts and gets another one when the condition recurs later', () => {
    const first = aBook().update([aFinding('a')], START)[0];
    const again = aBook().update([aFinding('a')], START + HOUR)[0];
    const recurred = aBook().update([aFinding('a', { since: START + HOUR })], START + HOUR)[0];
    const other = aBook().update([aFinding('b')], START)[0];
    expect(again?.id).toBe(first?.id);
    expect(new Set([first?.id, recurred?.id, other?.id]).size).toBe(3);
  });

  it('tells of a worse severity or a larger count at once, of moving figures every ten seconds', () => {
    const book = aBook();
    book.update([aFinding('a')], START);
    const moved = aFinding('a', { summary: [verbatim('held 65 s by A')] });
    expect(book.update([moved], START + 4 * SECOND)).toEqual([]);
    expect(book.update([moved], START + 10 * SECOND)[0]?.summary).toBe('held 65 s by A');
    const worse = { ...moved, severity: 'critical' as const };
    expect(book.update([worse], START + 11 * SECOND)[0]?.severity).toBe('critical');
    expect(book.update([{ ...worse, count: 2 }], START + 12 * SECOND)[0]?.count).toBe(2);
  });

  it('goes on as the same alert when its finding returns within 30 seconds', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    book.update([], START + SECOND);
    const [back] = book.update([aFinding('a', { since: START + 20_000 })], START + 31 * SECOND);
    expect(back).toMatchObject({ id: fired?.id, state: 'firing', resolvedAt: null, since: START });
    book.update([], START + 40 * SECOND);
    const later = START + 71 * SECOND;
    const [fresh] = book.update([aFinding('a', { since: later })], later);
    expect(fresh?.id).not.toBe(fired?.id);
    expect(fresh?.since).toBe(later);
  });

  it('stays acknowledged while it lasts, also when it flaps, and is new when it recurs', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    const id = fired?.id ?? '';
    const seen = book.acknowledge(id, 'ada', 'looking into it', START + SECOND);
    expect(seen).toMatchObject({
      state: 'acknowledged',
      acknowledgedBy: 'ada',
      acknowledgedReason: 'looking into it',
    });
    book.update([aFinding('a', { severity: 'critical' })], START + 2 * SECOND);
    expect(book.get(id)?.state).toBe('acknowledged');
    book.update([], START + 3 * SECOND);
    expect(book.get(id)?.state).toBe('resolved');
    book.update([aFinding('a')], START + 4 * SECOND);
    expect(book.get(id)?.state).toBe('acknowledged');
    book.update([], START + 5 * SECOND);
    const later = START + 60 * SECOND;
    expect(book.update([aFinding('a', { since: later })], later)[0]).toMatchObject({
      state: 'firing',
      acknowledgedBy: null,
    });
  });

  it('fires again when its silence is over, one hour unless told otherwise', () => {
    const book = aBook();
    const ids = book.update([aFinding('a'), aFinding('b')], START).map(({ id }) => id);
    const [a = '', b = ''] = ids;
    book.silence(a, 'ada', 'known', START + 10 * SECOND, START);
    expect(book.silence(b, 'ada', 'known', undefined, START)).toMatchObject({
      state: 'silenced',
      silencedUntil: START + HOUR,
      silencedBy: 'ada',
    });
    const both = [aFinding('a'), aFinding('b')];
    expect(book.update(both, START + 9 * SECOND)).toEqual([]);
    expect(book.update(both, START + 10 * SECOND)).toMatchObject([
      { id: a, state: 'firing', silencedUntil: null },
    ]);
    expect(book.update(both, START + HOUR)).toMatchObject([{ id: b, state: 'firing' }]);
  });

  it('cannot be acted on when it is unknown or over', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    book.update([], START + SECOND);
    for (const id of ['nothing', fired?.id ?? '']) {
      const act = () => book.acknowledge(id, 'ada', 'why', START);
      expect(act).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
      expect(() => book.silence(id, 'ada', 'why', undefined, START)).toThrow(/no open alert/);
    }
  });

  it('is forgotten 30 seconds after it resolved', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    book.update([], START + SECOND);
    expect(book.get(fired?.id ?? '')?.state).toBe('resolved');
    book.update([], START + 32 * SECOND);
    expect(book.get(fired?.id ?? '')).toBeUndefined();
  });
});

describe('an alert about a moment', () => {
  const taken = aFinding('takeover:1', { code: 'takeover', severity: 'critical', moment: true });

  it('stays after its finding has gone, and resolves by itself after an hour', () => {
    const book = aBook();
    book.update([taken], START);
    expect(book.update([], START + SECOND)).toEqual([]);
    expect(book.update([], START + HOUR)).toEqual([]);
    expect(book.update([], START + HOUR + 1)[0]?.state).toBe('resolved');
  });

  it('resolves by age although it is still found, and does not come back', () => {
    const book = aBook();
    book.update([taken], START);
    expect(book.update([taken], START + HOUR + 1)[0]?.state).toBe('resolved');
    expect(book.update([taken], START + HOUR + 2)).toEqual([]);
    expect(book.update([taken], START + 2 * HOUR)).toEqual([]);
    expect(book.open()).toEqual([]);
  });

  it('stays acknowledged once somebody looked', () => {
    const book = aBook();
    const [fired] = book.update([taken], START);
    book.acknowledge(fired?.id ?? '', 'ada', 'both checked', START + SECOND);
    expect(book.update([taken], START + 60 * SECOND)).toEqual([]);
    expect(book.get(fired?.id ?? '')?.state).toBe('acknowledged');
  });

  it('ends when it turns out not to have happened', () => {
    const book = aBook();
    book.update([taken], START);
    expect(book.update([{ ...taken, moment: false }], START + SECOND)).toEqual([]);
    expect(book.update([], START + 2 * SECOND)[0]?.state).toBe('resolved');
  });

  it('counts its age from when it last grew', () => {
    const book = aBook();
    book.update([taken], START);
    book.update([{ ...taken, count: 2 }], START + 30 * 60 * SECOND);
    expect(book.update([], START + HOUR + 1)).toEqual([]);
    expect(book.update([], START + 91 * 60 * SECOND)[0]?.state).toBe('resolved');
  });
});

describe('the alert book', () => {
  it('lists critical alerts first, then the oldest', () => {
    const book = aBook();
    book.update(
      [
        aFinding('young warning', { since: START + 2 }),
        aFinding('info', { severity: 'info', since: START }),
        aFinding('old warning', { since: START + 1 }),
        aFinding('critical', { severity: 'critical', since: START + 3 }),
      ],
      START + 4,
    );
    const labels = book.open().map(({ subject }) => subject.label);
    expect(labels).toEqual(['critical', 'old warning', 'young warning', 'info']);
  });

  it('names the codes of the open alerts about a lock, by exact bytes and database', () => {
    const book = aBook();
    const binary = 'lock:\x00\xff\r\n';
    book.update(
      [
        aFinding('a', { subject: about(binary) }),
        aFinding('b', { subject: about(binary), code: 'no-expiry' }),
        aFinding('c', { subject: about('lock:x', 3), code: 'takeover' }),
      ],
      START,
    );
    expect(book.codesFor(0, binary).toSorted()).toEqual(['long-hold', 'no-expiry']);
    expect(book.codesFor(3, 'lock:x')).toEqual(['takeover']);
    expect(book.codesFor(0, 'lock:x')).toEqual([]);
    book.update([], START + SECOND);
    expect(book.codesFor(0, binary)).toEqual([]);
  });

  it('changes its version when an alert changes and not otherwise', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    const before = book.version;
    book.update([aFinding('a')], START + SECOND);
    expect(book.version).toBe(before);
    book.acknowledge(fired?.id ?? '', 'ada', 'seen', START + SECOND);
    expect(book.version).toBeGreaterThan(before);
  });

  it('takes up stored alerts again: those that are found go on, the others resolve after 30 seconds', () => {
    const old = aBook();
    const [a, b] = old.update([aFinding('a'), aFinding('b')], START);
    if (!a || !b) throw new Error('two alerts are expected');
    const kept = old.acknowledge(a.id, 'ada', 'seen', START);
    const book = aBook();
    const elsewhere = { ...a, id: `${a.id}9`, target: 'other' };
    book.restore([kept, b, elsewhere, { ...b, state: 'resolved' }]);
    expect(book.open()).toHaveLength(2);
    const restarted = START + HOUR;
    expect(book.update([], restarted)).toEqual([]);
    // What remembers only since the restart dates the same incident later; it stays the same alert.
    const foundAgain = aFinding('a', { since: restarted + SECOND });
    book.update([foundAgain], restarted + 5 * SECOND);
    const gone = book.update([foundAgain], restarted + 31 * SECOND);
    expect(gone).toMatchObject([{ id: b.id, state: 'resolved' }]);
    expect(book.open()).toMatchObject([{ id: a.id, state: 'acknowledged' }]);
  });

  it('has a stored alert that just resolved return as it was: acknowledged, silenced, or waiting', () => {
    const old = aBook();
    const found = ['a', 'b', 'c'].map((name) => aFinding(name));
    const [a, b] = old.update(found, START);
    if (!a || !b) throw new Error('three alerts are expected');
    old.acknowledge(a.id, 'ada', 'looking into it', START + SECOND);
    old.silence(b.id, 'bob', 'known', START + HOUR, START + SECOND);
    const stored = old.update([], START + 2 * SECOND);
    expect(stored.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved']);
    const book = aBook();
    book.restore(stored);
    expect(book.open()).toEqual([]);
    // The console was away for five minutes, in which nobody could see it return.
    const restarted = START + 300 * SECOND;
    book.update([], restarted);
    const returned = found.map((finding) => ({ ...finding, since: restarted + SECOND }));
    book.update(returned, restarted + 29 * SECOND);
    expect(book.get(a.id)).toMatchObject({
      ...{ state: 'acknowledged', acknowledgedBy: 'ada', acknowledgedReason: 'looking into it' },
      ...{ since: START, resolvedAt: null, resolvedFrom: null, flaps: 1 },
    });
    expect(book.get(b.id)).toMatchObject({ state: 'silenced', silencedBy: 'bob' });
    expect(book.open()).toHaveLength(3);
  });

  it('has a stored alert that just resolved be another one when it returns later', () => {
    const old = aBook();
    const [a] = old.update([aFinding('a')], START);
    const stored = old.update([], START + SECOND);
    const book = aBook();
    book.restore(stored);
    const restarted = START + 10 * SECOND;
    book.update([], restarted);
    expect(book.get(a?.id ?? '')?.state).toBe('resolved');
    const later = restarted + 31 * SECOND;
    const [fresh] = book.update([aFinding('a', { since: later })], later);
    expect(fresh).toMatchObject({ state: 'firing', since: later });
    expect(fresh?.id).not.toBe(a?.id);
    expect(book.get(a?.id ?? '')).toBeUndefined();
  });

  it('does not come back over a restart for what another owner does', () => {
    const owned = (owner: string, since = START) =>
      aFinding('a', { since, labels: { ...NOBODY, owner } });
    const [fired] = aBook().update([owned('ada')], START);
    if (!fired) throw new Error('an alert is expected');
    const ended = {
      ...{ ...fired, state: 'resolved' as const, resolvedAt: START + SECOND },
      ...{ resolvedFrom: 'acknowledged' as const, acknowledgedBy: 'ada' },
    };
    const later = START + 2 * SECOND;
    for (const [owner, state] of [
      ['ada', 'acknowledged'],
      ['bob', 'firing'],
    ] as const) {
      const book = aBook();
      book.restore([ended]);
      expect(book.update([owned(owner, later)], later)).toMatchObject([{ state }]);
      expect(book.get(fired.id)?.state).toBe(owner === 'ada' ? 'acknowledged' : undefined);
    }
  });

  it('of which another console has one of its own comes back as the one that somebody looks after', () => {
    const [mine] = aBook().update([aFinding('a')], START);
    const [other] = aBook().update([aFinding('a', { since: START + SECOND })], START + HOUR);
    if (!mine || !other) throw new Error('nothing fired');
    const acknowledged = { ...mine, state: 'acknowledged' as const, acknowledgedBy: 'ada' };
    const stored = [acknowledged, other];
    for (const order of [stored, stored.toReversed()]) {
      const book = aBook();
      book.restore(order);
      expect(book.open()).toMatchObject([{ id: mine.id, state: 'acknowledged' }]);
      expect(book.get(other.id)).toBeUndefined();
      expect(book.update([aFinding('a')], START + HOUR + SECOND)).toEqual([]);
    }
    const book = aBook();
    book.restore([other, mine]);
    expect(book.open()).toMatchObject([{ id: other.id }]);
  });

  it('keeps of several stored alerts about the same the one that is open, or that resolved last', () => {
    const old = aBook();
    const [first] = old.update([aFinding('a')], START);
    if (!first) throw new Error('an alert is expected');
    const ended = (i: number) => ({
      ...{ ...first, id: `${first.id}${i}`, state: 'resolved' as const },
      ...{ resolvedAt: START + i * SECOND, resolvedFrom: 'acknowledged' as const },
    });
    const book = aBook();
    book.restore([ended(2), ended(1)]);
    expect(book.update([aFinding('a')], START + 3 * SECOND)[0]?.id).toBe(`${first.id}2`);
    expect(book.get(`${first.id}1`)).toBeUndefined();
    const other = aBook();
    other.restore([ended(2), first]);
    expect(other.update([aFinding('a')], START + 3 * SECOND)).toEqual([]);
    expect(other.open()).toMatchObject([{ id: first.id, state: 'firing' }]);
  });

  it('keeps a stored moment until it is an hour old', () => {
    const old = aBook();
    const stored = old.update([aFinding('t', { code: 'evicted', moment: true })], START);
    const book = aBook();
    book.restore(stored);
    expect(book.update([], START + 10 * SECOND)).toEqual([]);
    expect(book.update([], START + 50 * 60 * SECOND)).toEqual([]);
    expect(book.update([], START + HOUR + 1)[0]?.state).toBe('resolved');
  });

  it('opens at most 10,000 alerts and takes up the rest when there is room', () => {
    const book = aBook();
    const findings = Array.from({ length: 10_001 }, (_, i) => aFinding(`f${i}`));
    expect(book.update(findings, START)).toHaveLength(10_000);
    const opened = book.update(findings.slice(1), START + SECOND);
    expect(opened.map(({ state }) => state)).toEqual(['resolved']);
    expect(book.update(findings.slice(1), START + 2 * SECOND)).toMatchObject([{ state: 'firing' }]);
  });

  it('is found again however many others come and go in one pass', () => {
    const book = aBook();
    const lasting = Array.from({ length: 100 }, (_, i) => aFinding(`lasting${i}`));
    const ids = book.update(lasting, START).map(({ id }) => id);
    for (let pass = 1; pass <= 5; pass++) {
      const at = START + pass * SECOND;
      const passing = Array.from({ length: 1000 }, (_, i) => aFinding(`${pass}-${i}`));
      book.update(pass % 2 === 0 ? lasting : [...passing, ...lasting], at);
      expect(ids.map((id) => book.get(id)?.state)).toEqual(ids.map(() => 'firing'));
      expect(book.open()).toHaveLength(pass % 2 === 0 ? 100 : 1100);
    }
  });

  it('gives up the oldest of more than 20,000 lines that nobody saved, and tells of each', () => {
    const book = aBook();
    const findings = Array.from({ length: 10_000 }, (_, i) => aFinding(`f${i}`));
    book.update(findings, START);
    book.update([], START + SECOND);
    expect([book.unsavedEvents().length, book.takeGivenUp()]).toEqual([20_000, []]);
    book.update([aFinding('one'), aFinding('two')], START + HOUR);
    expect([book.unsavedEvents().length, book.takeGivenUp()]).toEqual([20_000, [START, START]]);
    expect(book.takeGivenUp()).toEqual([]);
  });
});
