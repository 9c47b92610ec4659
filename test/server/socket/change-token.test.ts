import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryName, QueryParams } from '@/lib/protocol/queries';
import { changeToken } from '@/server/socket/change-token';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';

const MINUTE_MS = 60_000;
const START = 1_700_000_000_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** How often the query is computed anew in ten seconds in which nothing happens. */
function timesComputed<N extends QueryName>(query: N, params: QueryParams<N>): number {
  const tokens = new Set<string>();
  for (let at = START; at < START + 10_000; at += 100) {
    tokens.add(changeToken({ ...server.context, now: () => at }, query, params));
  }
  return tokens.size;
}

describe('what somebody sets', () => {
  it('is told at once, so that a form opened right after it begins with what is there', () => {
    const token = () => changeToken({ ...server.context, now: () => START }, 'rules', {});
    const before = token();
    const { rules } = server.context;
    const { standard } = rules.list(() => 0).find(({ code }) => code === 'no-expiry') ?? {};
    if (!standard) throw new Error('there is no such rule');
    const edited = { code: 'no-expiry', class: null, setting: standard } as const;
    rules.save({ ...edited, actor: 'ada', at: START, reason: 'as we agreed' }, 1);
    expect(token()).not.toBe(before);
  });
});

describe('what the clock drives', () => {
  it('is computed every second', () => {
    expect(timesComputed('blame', {})).toBe(10);
    expect(timesComputed('waits', { from: START - 10 * MINUTE_MS })).toBe(10);
  });

  it('is computed every other second where the range is longer than 15 minutes', () => {
    expect(timesComputed('waits', {})).toBe(5);
    expect(timesComputed('waits', { from: START - 20 * MINUTE_MS })).toBe(5);
    expect(timesComputed('blame', { from: START - 60 * MINUTE_MS })).toBe(5);
    const past = { from: START - 60 * MINUTE_MS, to: START - 50 * MINUTE_MS };
    expect(timesComputed('blame', past)).toBe(10);
  });
});
