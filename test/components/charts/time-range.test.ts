import { describe, expect, it } from 'vitest';
import {
  localText,
  momentOf,
  rangeChanges,
  rangeNames,
  rangeQuery,
  readTimeRange,
  type RangeChoice,
} from '@/components/charts/time-range';
import { tickLook, timeTicks } from '@/components/charts/time-ticks';
import {
  readSubject,
  subjectChanges,
  subjectHref,
  subjectQuery,
} from '@/components/charts/subject';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const choice: RangeChoice = { offered: ['15m', '1h', '24h'], usual: '1h' };
const of = (search: string) => {
  const params = new URLSearchParams(search);
  return (name: string) => params.get(name);
};

describe('the range of an address', () => {
  it('is the usual one where it says nothing that makes sense', () => {
    for (const search of ['', 'range=5y', 'from=9&to=3', 'from=x&to=y']) {
      expect(readTimeRange(of(search), choice)).toEqual({ name: '1h', fixed: null });
    }
  });

  it('may come by a link from a page that offers it', () => {
    const range = readTimeRange(of('range=6h'), choice);
    expect(range.name).toBe('6h');
    expect(rangeNames(range, choice)).toEqual(['15m', '1h', '6h', '24h']);
  });

  it('asks nothing of the server where that covers it by itself', () => {
    expect(rangeQuery(readTimeRange(of(''), choice), choice, NOW)).toEqual({});
  });

  it('moves in steps while it follows the present', () => {
    const range = readTimeRange(of('range=24h'), choice);
    const at = (now: number) => rangeQuery(range, choice, now);
    expect(at(NOW)).toEqual({ from: NOW - 24 * HOUR });
    expect(at(NOW + 60_000)).toEqual(at(NOW));
    expect(at(NOW + HOUR)).not.toEqual(at(NOW));
  });

  it('stands still between exact times', () => {
    const range = readTimeRange(of('from=1000&to=2000&range=24h'), choice);
    expect(rangeQuery(range, choice, NOW)).toEqual({ from: 1000, to: 2000 });
    expect(rangeChanges(range)).toEqual({ from: 1000, to: 2000 });
  });
});

it('a moment survives a field of date and time to the second', () => {
  expect(momentOf(localText(NOW + 999))).toBe(NOW);
  expect(momentOf('')).toBeNull();
  expect(momentOf('soon')).toBeNull();
});

describe('the ticks of a time axis', () => {
  it('stand on whole hours of the zone', () => {
    const zoneMs = 5.5 * HOUR;
    const { at, stepMs } = timeTicks({ from: NOW - 6 * HOUR, to: NOW }, 6, zoneMs);
    expect(stepMs).toBe(HOUR);
    expect(at.every((tick) => (tick + zoneMs) % HOUR === 0)).toBe(true);
    expect(at).toHaveLength(6);
  });

  it('are days in a week and name the day at midnight', () => {
    const { at, stepMs } = timeTicks({ from: NOW - 7 * 24 * HOUR, to: NOW }, 7, 0);
    expect(stepMs).toBe(24 * HOUR);
    expect(at).toHaveLength(7);
    expect(tickLook(at[0] ?? 0, stepMs, 0)).toBe('day');
    expect(tickLook(NOW, HOUR, 0)).toBe('minute');
    expect(tickLook(NOW - 12 * HOUR, HOUR, 0)).toBe('day');
    expect(tickLook(NOW, 15_000, 0)).toBe('second');
  });
});

describe('what figures are about', () => {
  it('is everything unless the address says otherwise', () => {
    expect(subjectQuery(readSubject(of('')))).toEqual({});
  });

  it('tells the empty namespace from all of them', () => {
    const href = subjectHref('/waits', { namespace: '', class: 'a:*' }, { range: '24h' });
    const search = href.split('?')[1] ?? '';
    expect(subjectQuery(readSubject(of(search)))).toEqual({ namespace: '', class: 'a:*' });
    expect(of(search)('range')).toBe('24h');
    expect(subjectHref('/blame', {})).toBe('/blame');
  });

  it('is a lock by its exact bytes where a link names them, and shows how they print', () => {
    const keyB64 = toBase64Url(`${bytesFromText('a')}\u00ff`);
    const subject = readSubject(of(`keyB64=${keyB64}&db=3&key=other`));
    expect(subject.key).toBe('a\\xff');
    expect(subjectQuery(subject)).toEqual({ keyB64, db: 3 });
  });

  it('leaves out what the address cannot mean', () => {
    expect(subjectQuery(readSubject(of('keyB64=%21&db=x&key=a')))).toEqual({ key: 'a' });
    expect(subjectQuery(readSubject(of('db=3')))).toEqual({});
  });

  it('is replaced as a whole', () => {
    expect(subjectChanges({ class: 'b' })).toEqual({
      namespace: null,
      class: 'b',
      key: null,
      keyB64: null,
      db: null,
    });
  });
});
