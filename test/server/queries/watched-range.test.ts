import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchedRange } from '@/server/queries/watched-range';
import { aRollup, MINUTE_MS, STEP_MS } from './history-samples';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
let base: number;
beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / STEP_MS) * STEP_MS - 30 * MINUTE_MS;
});
afterAll(() => server.stop());

/** The clock stands two seconds after the start of a step. */
const range = (params: { from?: number; to?: number }) => {
  const now = () => base + 30 * MINUTE_MS + 2000;
  return watchedRange({ ...server.context, now, startedAt: base + MINUTE_MS }, params);
};

describe('a range', () => {
  it('is made of whole steps of history, of which the last may not be over', async () => {
    const from = base - 30 * MINUTE_MS;
    expect(await range({})).toMatchObject({ from, to: base + 30 * MINUTE_MS + 2000 });
    const past = { from: base + 1, to: base + 25_001 };
    expect(await range(past)).toMatchObject({ from: base, to: base + 30_000 });
    const whole = { from: base, to: base + 20_000 };
    expect(await range(whole)).toMatchObject(whole);
  });

  it('is known from the first step of history on, or from when this process began', async () => {
    const asked = { from: base - 10 * MINUTE_MS, to: base + 10 * MINUTE_MS };
    expect((await range(asked)).watchedFrom).toBe(base + MINUTE_MS);
    await server.context.store.writeRollups({ rollups: [aRollup({ step: base })], blame: [] });
    expect((await range(asked)).watchedFrom).toBe(base);
    expect((await range({ ...asked, to: base - MINUTE_MS })).watchedFrom).toBe(base - MINUTE_MS);
    expect((await range({ from: base + 5 * MINUTE_MS })).watchedFrom).toBe(base + 5 * MINUTE_MS);
  });

  it('ends now where a later moment is asked for: averages are not thinned by what has not come', async () => {
    const now = base + 30 * MINUTE_MS + 2000;
    const asked = { from: base, to: Number.MAX_SAFE_INTEGER };
    expect(await range(asked)).toMatchObject({ from: base, to: now });
    const later = { from: now + MINUTE_MS, to: now + 2 * MINUTE_MS };
    expect(await range(later)).toMatchObject({ to: now, watchedFrom: now - 2000 });
  });

  it('does not end before it begins', async () => {
    await expect(range({ from: base, to: base - 1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
