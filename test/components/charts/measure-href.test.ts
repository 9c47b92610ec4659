import { describe, expect, it } from 'vitest';
import { measureHref } from '@/components/charts/measure-href';

const HOUR_MS = 3_600_000;
const NOW = 100 * HOUR_MS;
const lastHour = { fixed: null, name: '1h', lengthMs: HOUR_MS };
const subject = { namespace: 'shop', class: 'order:*', db: 0, keyB64: 'b3JkZXI6NA' };

const paramsOf = (href: string) => Object.fromEntries(new URL(href, 'http://console').searchParams);

describe('the way from one page of measures to another', () => {
  it('keeps following the present where the other page has a range of that name', () => {
    const href = measureHref('blame', { subject, time: lastHour, now: NOW });
    expect(href).toMatch(/^\/blame\?/);
    expect(paramsOf(href)).toEqual({ ...subject, db: '0', range: '1h' });
  });

  it('shows the same span where the other page has no such range', () => {
    const { from, to, range } = paramsOf(
      measureHref('heatmap', { subject, time: lastHour, now: NOW }),
    );
    expect([from, to, range]).toEqual([`${NOW - HOUR_MS}`, `${NOW}`, undefined]);
  });

  it('stands still where this page does', () => {
    const fixed = { from: 5000, to: 9000 };
    const href = measureHref('waits', { subject: {}, time: { ...lastHour, fixed }, now: NOW });
    expect(paramsOf(href)).toEqual({ from: '5000', to: '9000' });
  });

  it('shows of a single lock the locks of its class, also where that is of no namespace', () => {
    const of = { ...subject, namespace: '' };
    const href = measureHref('heatmap', { subject: of, time: lastHour, now: NOW });
    expect(paramsOf(href)).toMatchObject({ namespace: '~', class: 'order:*', group: 'lock' });
    expect(paramsOf(href)).not.toHaveProperty('keyB64');
  });
});
