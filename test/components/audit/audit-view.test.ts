import { describe, expect, it } from 'vitest';
import { MOST, auditQuery, isFiltered, moreOf, readAuditView } from '@/components/audit/audit-view';
import { readWaitsView, waitsQuery } from '@/components/waits/waits-view';

const getter = (text: string) => {
  const params = new URLSearchParams(text);
  return (name: string) => params.get(name);
};

describe('the view of the audit', () => {
  it('asks for the newest hundred without filters', () => {
    const view = readAuditView(getter(''));
    expect(auditQuery(view)).toEqual({ limit: 100 });
    expect(isFiltered(view)).toBe(false);
  });

  it('turns local times into epoch milliseconds and drops what is no time', () => {
    const view = readAuditView(getter('from=2026-11-30T01:02&to=soon&actor=mira'));
    expect(auditQuery(view)).toEqual({
      limit: 100,
      actor: 'mira',
      from: new Date(2026, 10, 30, 1, 2).getTime(),
    });
    expect(isFiltered(view)).toBe(true);
  });

  it('grows up to what one query answers, and then goes on by cursor', () => {
    expect(moreOf(readAuditView(getter('')), 'c1')).toEqual({ limit: 200 });
    expect(moreOf(readAuditView(getter(`limit=${MOST}`)), 'c1')).toEqual({
      limit: 100,
      cursor: 'c1',
    });
  });
});

describe('the view of waits', () => {
  it('leaves the last hour to the server and names the start of longer ranges in steps', () => {
    expect(waitsQuery(readWaitsView(getter('')), 1e12)).toEqual({});
    const view = readWaitsView(getter('range=6h&class=a:*'));
    const first = waitsQuery(view, 1e12);
    expect(first.class).toBe('a:*');
    expect(1e12 - (first.from ?? 0)).toBeGreaterThanOrEqual(6 * 3_600_000);
    expect(waitsQuery(view, 1e12 + 1000)).toEqual(first);
  });
});
