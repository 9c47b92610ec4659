import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { heatmapToken } from '@/server/queries/heatmap';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('a live map', () => {
  const now = 1_700_000_000_000;
  /** How often the map is made anew in a minute from `now` on. */
  function timesMade(params: HeatmapParams): number {
    const seconds = Array.from({ length: 60 }, (_, second) => now + second * 1000);
    const context = (at: number) => ({ ...server.context, now: () => at });
    return new Set(seconds.map((at) => heatmapToken(context(at), params))).size;
  }

  it('is made anew every second while it is small', () => {
    expect(timesMade({})).toBe(60);
    expect(timesMade({ rows: 500, packed: true })).toBe(60);
    expect(timesMade({ rows: 20, from: now - 7 * 86_400_000 })).toBe(60);
  });

  it('is made anew every ten seconds and with each new step when it is large', () => {
    expect(timesMade({ rows: 5000 })).toBeLessThanOrEqual(7);
    expect(timesMade({ rows: 1000, from: now - 3 * 3_600_000 })).toBeLessThanOrEqual(8);
    expect(timesMade({ rows: 5000, from: now - 90 * 86_400_000 })).toBeGreaterThanOrEqual(6);
  });

  it('is made anew every minute at most when it ended long ago', () => {
    const to = now - 3_600_000;
    expect(timesMade({ from: to - 1_800_000, to })).toBeLessThanOrEqual(2);
    expect(timesMade({ from: now - 1_800_000, to: now - 60_000 })).toBe(60);
  });
});
