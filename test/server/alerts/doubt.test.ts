import { describe, expect, it } from 'vitest';
import { createAlertBook } from '@/server/alerts';
import { sightNow, type SightNow } from '@/server/alerts/doubt';
import type { Finding } from '@/server/analysers/finding';
import { takeEvents } from '@/test/server/alerts/take-events';
import { aFinding, aNode, aTarget, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const aBook = () => createAlertBook({ target: 'main' });
const ofTarget: Finding['subject'] = { kind: 'target', label: 'main', locks: [], deadlockId: null };
const blind = (since: number): Finding =>
  aFinding('blind:main', { code: 'blind', severity: 'critical', subject: ofTarget, since });

const sees = (what: SightNow['sees'], sweptAt: number | null = START): SightNow => ({
  sees: what,
  sweptAt,
});

describe('while the console is blind', () => {
  it('an alert about a lock is doubtful since then, and other alerts are not', () => {
    const book = aBook();
    const insecure = aFinding('insecure', { code: 'insecure-redis', subject: ofTarget });
    const taken = aFinding('t', { code: 'takeover', moment: true });
    book.update([aFinding('a'), insecure, taken], START);
    const changed = book.update(
      [aFinding('a'), insecure, taken, blind(START + SECOND)],
      START + 2 * SECOND,
      sees('nothing'),
    );
    expect(changed.filter(({ doubtful }) => doubtful)).toMatchObject([
      { code: 'long-hold', state: 'firing', doubtful: { code: 'blind', since: START + SECOND } },
    ]);
    expect(book.open()).toHaveLength(4);
  });

  it('a new alert is doubtful from its first moment', () => {
    const book = aBook();
    const [, fired] = book.update([blind(START), aFinding('a')], START, sees('reads'));
    expect(fired).toMatchObject({ code: 'long-hold', doubtful: { code: 'blind', since: START } });
  });

  it('without a connection no alert resolves, however long that lasts', () => {
    const book = aBook();
    book.update([aFinding('a')], START);
    for (let at = START + SECOND; at < START + 20 * MINUTE; at += 10 * SECOND) {
      book.update([blind(START + SECOND)], at, sees('nothing'));
    }
    expect(book.open().map(({ code, state }) => [code, state])).toEqual([
      ['blind', 'firing'],
      ['long-hold', 'firing'],
    ]);
  });

  it('an alert is certain or resolved only once a sweep has ended after the connection is back', () => {
    const book = aBook();
    book.update([aFinding('a'), aFinding('b')], START);
    const lost = START + SECOND;
    const both = [aFinding('a'), aFinding('b')];
    book.update([...both, blind(lost)], START + 9 * SECOND, sees('nothing'));
    book.update([aFinding('a')], START + 10 * SECOND, sees('events', START));
    expect(book.open().map(({ doubtful }) => doubtful?.since)).toEqual([lost, lost]);
    book.update([aFinding('a')], START + 12 * SECOND, sees('events', START + 11 * SECOND));
    expect(book.open()).toMatchObject([{ subject: { label: 'a' }, doubtful: null }]);
    const told = takeEvents(book).map(({ kind }) => kind);
    expect(told.filter((kind) => kind === 'doubtful')).toHaveLength(2);
    expect(told.filter((kind) => kind === 'certain')).toHaveLength(1);
  });

  it('an alert whose end was read resolves once a sweep has ended since, and not before', () => {
    const book = aBook();
    book.update([aFinding('a'), blind(START)], START, sees('reads'));
    const gone = START + 5 * SECOND;
    book.update([blind(START)], gone, sees('reads', gone - 1));
    book.update([blind(START)], gone + SECOND, sees('reads', gone - 1));
    expect(book.open()).toHaveLength(2);
    book.update([blind(START)], gone + 2 * SECOND, sees('reads', gone + SECOND));
    expect(book.open()).toMatchObject([{ code: 'blind' }]);
  });

  it('an alert is certain as soon as events come again, where the connection was never lost', () => {
    const book = aBook();
    book.update([aFinding('a')], START);
    book.update([aFinding('a'), blind(START)], START + SECOND, sees('reads'));
    book.update([aFinding('a')], START + 2 * SECOND, sees('events'));
    expect(book.open()).toMatchObject([{ state: 'firing', doubtful: null }]);
  });

  it('what was acknowledged stays so', () => {
    const book = aBook();
    const [fired] = book.update([aFinding('a')], START);
    book.acknowledge(fired?.id ?? '', 'ada', 'on it', START);
    book.update([aFinding('a'), blind(START)], START + SECOND, sees('nothing'));
    book.update([aFinding('a')], START + 2 * SECOND, sees('events', START + 1.5 * SECOND));
    expect(book.open()).toMatchObject([{ state: 'acknowledged', doubtful: null }]);
  });
});

describe('after a restart', () => {
  it('what was read back does not resolve before the first sweep', () => {
    const stored = aBook().update([aFinding('a')], START);
    const book = aBook();
    book.restore(stored);
    for (let at = START; at <= START + 5 * MINUTE; at += 10 * SECOND) {
      book.update([], at, sees('events', null));
    }
    expect(book.open()).toHaveLength(1);
    book.update([], START + 6 * MINUTE, sees('events', START + 6 * MINUTE));
    expect(book.open()).toEqual([]);
  });
});

describe('how far the target is seen', () => {
  const node = (connected: boolean, finishedAt: number | null) =>
    aNode({
      connected,
      sweep: { running: false, scanned: 0, keys: 0, locks: 0, finishedAt },
    });
  const now = (nodes: ReturnType<typeof node>[], isReady = true): SightNow =>
    sightNow(aTarget({ nodes }), isReady);

  it('counts sweeps by the node that was swept longest ago', () => {
    expect(now([node(true, START + 5), node(true, START)])).toEqual(sees('events', START));
    expect(now([node(true, START), node(false, 1)])).toEqual(sees('reads', START));
    expect(now([node(true, null)], false)).toEqual(sees('events', null));
    expect(now([node(false, START)])).toEqual(sees('nothing', null));
  });

  it('does not wait for sweeps that Redis forbids', () => {
    expect(now([node(true, null)])).toEqual(sees('events', Infinity));
  });
});
