import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { toBase64Url } from '@/lib/protocol/bytes';
import type { Past, PastLockMoment } from '@/lib/protocol/past';
import type { HoldRow } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { ask as askQuery } from './ask';
import { aHold, MINUTE_MS } from './history-samples';
import { addressOf, startServer, TARGET, type TestServer } from './server-under-test';

let server: TestServer;
/** The watch begins here. */
let base: number;

beforeAll(async () => {
  server = await startServer();
  base = Date.now() - 60 * MINUTE_MS;
});
afterAll(() => server.stop());

const context = () => ({ ...server.as('viewer'), startedAt: base });
const askLock = (key: string, at: number): Promise<PastLockMoment> =>
  askQuery(context(), 'past-lock', { ...addressOf(key), at });

const write = (...rows: HoldRow[]): Promise<void> => server.context.store.writeHolds(rows);

describe('one lock at a moment', () => {
  const t = () => base + 50 * MINUTE_MS;
  const lock = { db: 0, key: 'inv:steps' };

  beforeAll(async () => {
    const holds = Array.from({ length: 60 }, (_, i) =>
      aHold({
        ...lock,
        owner: `h${i}`,
        generation: i + 1,
        start: t() + i * 100,
        end: t() + i * 100 + 60,
      }),
    );
    await write(
      ...holds,
      aHold({
        ...lock,
        owner: 'late',
        generation: 61,
        start: t() + 8 * MINUTE_MS,
        end: t() + 9 * MINUTE_MS,
      }),
    );
  });

  it('has the hold before and the one after, so that one can step from hold to hold', async () => {
    const seen: (string | null)[] = [];
    let at: number | undefined = t();
    while (at !== undefined) {
      const moment: PastLockMoment = await askLock(lock.key, at);
      seen.push(moment.lock?.hold?.owner ?? null);
      at = moment.after?.start;
    }
    expect(seen).toEqual([...Array.from({ length: 60 }, (_, i) => `h${i}`), 'late']);
    const last = await askLock(lock.key, t() + 8 * MINUTE_MS);
    expect(last.before?.owner).toBe('h59');
    expect((await askLock(lock.key, t() + 1000)).before?.owner).toBe('h9');
  });

  it('tells between two holds who held it before and who after', async () => {
    const moment = await askLock(lock.key, t() + 170);
    expect(moment.lock).toMatchObject({ key: lock.key, hold: null });
    expect([moment.before?.owner, moment.after?.owner]).toEqual(['h1', 'h2']);
  });

  it('has 20 holds on either side, none left out in between', async () => {
    const { around } = await askLock(lock.key, t() + 3000);
    expect(around.map(({ owner }) => owner)).toEqual(
      Array.from({ length: 41 }, (_, i) => `h${i + 10}`),
    );
  });

  it('finds the next hold of a lock that is held thousands of times a second', async () => {
    const key = 'inv:busy';
    const at = base + 55 * MINUTE_MS;
    const rows = Array.from({ length: 4000 }, (_, i) =>
      aHold({ db: 0, key, owner: `b${i}`, generation: i + 1, start: at + i, end: at + i + 1 }),
    );
    for (let from = 0; from < rows.length; from += 500)
      await write(...rows.slice(from, from + 500));
    const { lock: busy, before, after } = await askLock(key, at + 7);
    expect([before?.owner, busy?.hold?.owner, after?.owner]).toEqual(['b6', 'b7', 'b8']);
  });

  it('names where those run who say so, in the list as well', async () => {
    const redis = server.redis.client();
    const client = createLockClient({ redis, allowInsecure: true, app: 'order-7' });
    const held = await client.acquire('placed');
    try {
      await until(
        'its instance is known',
        () => server.context.table.get(0, held.key)?.hold?.owner?.app === 'order-7' || undefined,
      );
      const place = { owner: `${client.instance}:9`, app: 'order-7', pid: process.pid };
      await write(
        aHold({ db: 0, key: held.key, owner: place.owner, start: t(), end: t() + 50 }),
        aHold({
          db: 0,
          key: held.key,
          owner: 'somebody',
          generation: 2,
          start: t() + 60,
          end: t() + 70,
        }),
      );
      expect((await askLock(held.key, t())).places).toMatchObject([place, { app: 'order-7' }]);
      const { places }: Past = await askQuery(context(), 'past', { at: t(), q: held.key });
      expect(places).toMatchObject([place]);
    } finally {
      await client.close();
      redis.disconnect();
    }
  });

  it('is null for a lock that was never seen', async () => {
    expect(await askLock('inv:never-seen', t())).toMatchObject({ lock: null, around: [] });
  });

  it('is refused for a key that is none and for another target', async () => {
    const at = t();
    await expect(
      askQuery(context(), 'past-lock', { target: TARGET, db: 0, keyB64: '!', at }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(
      askQuery(context(), 'past-lock', { target: 'other', db: 0, keyB64: toBase64Url('a'), at }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is kept', () => {
  it('tells tiers, since when, gaps and what was given up', async () => {
    const gap = { from: base + 40 * MINUTE_MS, to: base + 41 * MINUTE_MS };
    await server.context.store.writeGap(TARGET, { ...gap, reason: 'connection-lost' });
    const kept = await askQuery(context(), 'history', {});
    expect(kept).toMatchObject({
      kind: 'sqlite',
      lostRows: 0,
      cutAt: null,
      holds: { keepMs: 7 * 86_400_000, from: base },
    });
    expect(kept.tiers.map(({ spanMs }) => spanMs)).toEqual([10_000, 60_000, 300_000, 3_600_000]);
    // Beside a busy machine the console may have missed something of its own as well.
    expect(kept.gaps).toContainEqual({ ...gap, reason: 'connection-lost' });
  });
});

describe('the deadlocks of a moment', () => {
  const t = () => base + 25 * MINUTE_MS;

  it('are those that stood then', async () => {
    const deadlock = { id: 'x', target: TARGET, cycle: [], evidence: 'observed' as const };
    await server.context.store.saveDeadlock({
      ...deadlock,
      state: 'resolved',
      since: t(),
      resolvedAt: t() + 5000,
    });
    const at = async (afterMs: number) =>
      (await askQuery(context(), 'deadlocks', { at: t() + afterMs })).map(({ id }) => id);
    expect(await at(-1)).toEqual([]);
    expect(await at(0)).toEqual(['x']);
    expect(await at(4999)).toEqual(['x']);
    expect(await at(5000)).toEqual([]);
  });

  it('are known, of one whose end nobody saw, until the console stopped', async () => {
    const { store } = server.context;
    const from = base + 45 * MINUTE_MS;
    const deadlock = { id: 'y', target: TARGET, cycle: [], evidence: 'observed' as const };
    await store.saveDeadlock({ ...deadlock, state: 'confirmed', since: from, resolvedAt: null });
    await store.writeGap(TARGET, { from: from + 3000, to: from + 9000, reason: 'console-stopped' });
    const at = async (afterMs: number) =>
      (await askQuery(context(), 'deadlocks', { at: from + afterMs })).map(({ id }) => id);
    expect(await at(2999)).toEqual(['y']);
    expect(await at(3000)).toEqual([]);
    expect(await at(20_000)).toEqual([]);
  });

  it('are told once for each time that a circle came about', async () => {
    const { store } = server.context;
    const from = base + 48 * MINUTE_MS;
    const deadlock = { id: 'z', target: TARGET, cycle: [], evidence: 'observed' as const };
    const state = 'resolved' as const;
    await store.saveDeadlock({ ...deadlock, state, since: from, resolvedAt: from + 1000 });
    await store.saveDeadlock({ ...deadlock, state, since: from + 5000, resolvedAt: from + 6000 });
    const at = async (afterMs: number) =>
      (await askQuery(context(), 'deadlocks', { at: from + afterMs })).map(({ since }) => since);
    expect(await at(500)).toEqual([from]);
    expect(await at(3000)).toEqual([]);
    expect(await at(5500)).toEqual([from + 5000]);
  });
});
