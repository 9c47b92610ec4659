import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Past, PastLock, PastLockMoment } from '@/lib/protocol/past';
import type { PastParams } from '@/lib/protocol/queries';
import type { HoldRow } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { ask as askQuery } from './ask';
import { aHold, aLeftWait, MINUTE_MS } from './history-samples';
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
const ask = (params: PastParams): Promise<Past> => askQuery(context(), 'past', params);
const askLock = (key: string, at: number): Promise<PastLockMoment> =>
  askQuery(context(), 'past-lock', { ...addressOf(key), at });

const write = (...rows: HoldRow[]): Promise<void> => server.context.store.writeHolds(rows);

const holdersIn = ({ items }: Past): Record<string, string | null> =>
  Object.fromEntries(items.map(({ key, hold }) => [key, hold && hold.owner]));

async function heldAt(key: string, at: number): Promise<string | null> {
  const { items } = await ask({ at, q: key });
  const { lock } = await askLock(key, at);
  const listed = items.find((item) => item.key === key)?.hold?.owner ?? null;
  expect(lock?.hold?.owner ?? null).toBe(listed);
  return listed;
}

describe('who held a lock at a moment', () => {
  const t = () => base + 10 * MINUTE_MS;

  beforeAll(async () => {
    const lock = { db: 0, key: 'inv:exact' };
    await write(
      aHold({ ...lock, owner: 'A', start: t(), end: t() + 250, generation: 1 }),
      aHold({ ...lock, owner: 'B', start: t() + 250, end: t() + 251, generation: 2 }),
      aHold({ ...lock, owner: 'C', start: t() + 300, end: t() + 5 * MINUTE_MS, generation: 3 }),
    );
  });

  it.each([
    [-1, null],
    [0, 'A'],
    [249, 'A'],
    [250, 'B'],
    [251, null],
    [299, null],
    [300, 'C'],
    [5 * MINUTE_MS - 1, 'C'],
    [5 * MINUTE_MS, null],
  ])('is told to the millisecond: %s ms after', async (afterMs, owner) => {
    expect(await heldAt('inv:exact', t() + afterMs)).toBe(owner);
  });

  it('tells two holds of one number apart: numbers begin anew when a lock was forgotten', async () => {
    const lock = { db: 0, key: 'inv:again', generation: 1 };
    await write(aHold({ ...lock, owner: 'old', start: t(), end: t() + 1000 }));
    await write(aHold({ ...lock, owner: 'new', start: t() + 2000, end: t() + 3000 }));
    expect(await heldAt('inv:again', t() + 500)).toBe('old');
    expect(await heldAt('inv:again', t() + 1500)).toBeNull();
    expect(await heldAt('inv:again', t() + 2500)).toBe('new');
  });

  it('sees locks of one name in several databases apart', async () => {
    await write(
      aHold({ db: 0, key: 'inv:dbs', owner: 'zero', start: t(), end: t() + 1000 }),
      aHold({ db: 5, key: 'inv:dbs', owner: 'five', start: t(), end: t() + 1000 }),
    );
    const { items, total } = await ask({ at: t() + 1, q: 'inv:dbs' });
    expect(total).toBe(2);
    expect(items.map(({ db, hold }) => [db, hold?.owner])).toEqual([
      [0, 'zero'],
      [5, 'five'],
    ]);
  });
});

describe('the last seconds', () => {
  it('are told from the table and from what is on its way to the store', async () => {
    const { client } = server;
    await client.set('inv:live', 'one', 'PX', 60_000);
    const first = await server.lock('inv:live');
    const heldFrom = first.hold?.since ?? 0;
    expect(await heldAt('inv:live', heldFrom)).toBe('one');
    expect(await heldAt('inv:live', heldFrom - 1)).toBeNull();
    await client.del('inv:live');
    await client.set('inv:live', 'two', 'PX', 60_000);
    const second = await server.lock('inv:live', ({ hold }) => hold?.owner.id === 'two');
    const [past] = second.holds;
    expect(await heldAt('inv:live', (past?.end ?? 0) - 1)).toBe('one');
    expect(await heldAt('inv:live', second.hold?.since ?? 0)).toBe('two');
    await client.del('inv:live');
    await server.lock('inv:live', ({ state }) => state === 'free');
    await server.context.recorder.flush();
    expect(await heldAt('inv:live', heldFrom)).toBe('one');
    expect(await heldAt('inv:live', second.hold?.since ?? 0)).toBe('two');
  });

  it('take a moment to come for the present', async () => {
    const before = Date.now();
    const { at } = await ask({ at: before + 60 * MINUTE_MS });
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });
});

describe('who waited at a moment', () => {
  const t = () => base + 20 * MINUTE_MS;

  beforeAll(async () => {
    const lock = { db: 0, key: 'inv:waited' };
    const waited = { ms: 700, source: 'fair-queue', evidence: 'observed' } as const;
    await write(
      aHold({ ...lock, owner: 'A', start: t(), end: t() + 1000 }),
      aHold({ ...lock, owner: 'B', start: t() + 1000, end: t() + 1500, generation: 2, waited }),
    );
    await server.context.store.writeLeftWaits([
      aLeftWait({ ...lock, owner: 'gone', start: t() + 100, end: t() + 600 }),
    ]);
  });

  const waitersAt = async (afterMs: number): Promise<(string | null)[]> => {
    const { lock } = await askLock('inv:waited', t() + afterMs);
    const { items } = await ask({ at: t() + afterMs, q: 'inv:waited' });
    expect(items[0]?.waiters ?? []).toEqual(lock?.waiters);
    return lock?.waiters.map(({ owner }) => owner) ?? [];
  };

  it('is told with the first in line first, until the wait was over', async () => {
    expect(await waitersAt(50)).toEqual([]);
    expect(await waitersAt(299)).toEqual(['gone']);
    expect(await waitersAt(300)).toEqual(['gone', 'B']);
    expect(await waitersAt(600)).toEqual(['B']);
    expect(await waitersAt(1000)).toEqual([]);
  });

  it('is told with what came of it', async () => {
    const { lock } = await askLock('inv:waited', t() + 300);
    expect(lock?.waiters).toMatchObject([
      { owner: 'gone', outcome: 'left', end: t() + 600, evidence: 'observed' },
      { owner: 'B', outcome: 'granted', end: t() + 1000, start: t() + 300 },
    ]);
  });

  it('names a lock that nobody held and somebody waited for', async () => {
    const key = 'inv:free-waited';
    await server.context.store.writeLeftWaits([
      aLeftWait({ db: 0, key, owner: 'w', start: t(), end: t() + 1000 }),
    ]);
    const { items } = await ask({ at: t() + 1, q: key });
    expect(items).toMatchObject([{ key, hold: null, waiters: [{ owner: 'w' }] }]);
  });

  it('is not known of a library whose waiters leave no trace', async () => {
    const evidenceOf = async (key: string): Promise<PastLock['waitersEvidence'] | undefined> =>
      (await ask({ at: t() + 1, q: key })).items[0]?.waitersEvidence;
    await write(
      aHold({ db: 0, key: 'inv:polled', formatId: 'redlock', start: t(), end: t() + 9 }),
      aHold({ db: 0, key: 'inv:queued', formatId: 'redisson-fair', start: t(), end: t() + 9 }),
      aHold({ db: 0, key: 'inv:never', formatId: 'shedlock', start: t(), end: t() + 9 }),
      aHold({ db: 0, key: 'inv:newer', formatId: 'not-known-here', start: t(), end: t() + 9 }),
    );
    expect(await evidenceOf('inv:polled')).toBe('unknown');
    expect(await evidenceOf('inv:queued')).toBe('observed');
    expect(await evidenceOf('inv:never')).toBe('inferred');
    expect(await evidenceOf('inv:newer')).toBe('unknown');
  });

  it('is told of those who still wait', async () => {
    const { client } = server;
    const key = 'inv:fair';
    const [holder, waiter] = [`${randomUUID()}:1`, `${randomUUID()}:1`];
    await client.hset(key, holder, 1);
    await client.pexpire(key, 60_000);
    await client.rpush(`redisson_lock_queue:{${key}}`, waiter);
    await client.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 60_000, waiter);
    const since = await until('the waiter is seen', () => {
      const record = server.context.table.get(0, key);
      return record?.hold?.owner?.id === holder ? record.queue[0]?.since : undefined;
    });
    const { lock } = await askLock(key, since);
    expect(lock?.waiters).toMatchObject([{ owner: waiter, end: null, outcome: null }]);
    expect((await askLock(key, since - 1)).lock?.waiters ?? []).toEqual([]);
  });
});

describe('the list of a moment', () => {
  const t = () => base + 30 * MINUTE_MS;

  beforeAll(async () => {
    await write(
      ...Array.from({ length: 25 }, (_, i) =>
        aHold({
          ...{ db: 0, key: `inv:list:${i}`, owner: `owner-${i % 5}`, generation: 1 },
          ...{ class: i < 10 ? 'inv:list:a' : 'inv:list:b', namespace: i < 10 ? 'na' : 'nb' },
          ...{ start: t() - 100 + i, end: t() + 1000 },
        }),
      ),
    );
    await server.context.store.writeLeftWaits([
      aLeftWait({
        ...{ db: 0, key: 'inv:list:20', class: 'inv:list:b', namespace: 'nb', owner: 'Wanda' },
        ...{ start: t() - 10, end: t() + 500 },
      }),
    ]);
  });

  it('begins with the most awaited, then the longest held', async () => {
    const { items, total } = await ask({ at: t(), q: 'inv:list:', limit: 3 });
    expect(total).toBe(25);
    expect(items.map(({ key }) => key)).toEqual(['inv:list:20', 'inv:list:0', 'inv:list:1']);
  });

  it('is read page by page', async () => {
    const keys: string[] = [];
    let cursor: string | null = '0';
    while (cursor !== null) {
      const page: Past = await ask({ at: t(), q: 'inv:list:', limit: 10, cursor });
      expect(page.offset).toBe(keys.length);
      keys.push(...page.items.map(({ key }) => key));
      ({ cursor } = page);
    }
    expect(new Set(keys).size).toBe(25);
    expect(keys).toHaveLength(25);
  });

  it('is narrowed by class, namespace and holder', async () => {
    const count = async (params: Omit<PastParams, 'at'>) =>
      (await ask({ at: t(), ...params })).total;
    expect(await count({ class: 'inv:list:a' })).toBe(10);
    expect(await count({ namespace: 'nb' })).toBe(15);
    expect(await count({ owner: 'owner-3' })).toBe(5);
    expect(await count({ owner: 'owner-3', class: 'inv:list:a' })).toBe(2);
    expect(await count({ owner: 'owner' })).toBe(0);
  });

  it('finds text in keys, in those who held and in those who waited', async () => {
    const keys = async (q: string) => (await ask({ at: t(), q })).items.map(({ key }) => key);
    expect(await keys('LIST:7')).toEqual(['inv:list:7']);
    expect(await keys('owner-4')).toHaveLength(5);
    expect(await keys('wanda')).toEqual(['inv:list:20']);
  });

  it('says when more was held than is looked through', async () => {
    const at = t() + 5 * MINUTE_MS;
    const rows = Array.from({ length: 10_001 }, (_, i) =>
      aHold({ db: 0, key: `inv:crowd:${i}`, class: 'inv:crowd:*', start: at - 5, end: at + 5 }),
    );
    for (let from = 0; from < rows.length; from += 500)
      await write(...rows.slice(from, from + 500));
    expect(await ask({ at, class: 'inv:crowd:*' })).toMatchObject({ truncated: true });
    expect(await ask({ at: t() })).toMatchObject({ truncated: false });
  });
});

describe('a moment of which less is known', () => {
  const t = () => base + 40 * MINUTE_MS;

  beforeAll(async () => {
    const { store } = server.context;
    const waited = { ms: 300, source: 'fair-queue', evidence: 'observed' } as const;
    await write(
      aHold({ db: 0, key: 'inv:gap', owner: 'A', start: t() - 1000, end: t() + 2000 }),
      aHold({
        ...{ db: 0, key: 'inv:gap', owner: 'B', generation: 2, waited },
        ...{ start: t() + 2000, end: t() + 3000 },
      }),
    );
    await store.writeGap(TARGET, { from: t(), to: t() + 2500, reason: 'connection-lost' });
  });

  it('names the gap, and claims nothing for sure in it', async () => {
    for (const afterMs of [0, 1900, 2499]) {
      const answer = await ask({ at: t() + afterMs, q: 'inv:gap' });
      expect(answer.gap).toMatchObject({ from: t(), to: t() + 2500, reason: 'connection-lost' });
      expect(answer.items).toMatchObject([
        { hold: { evidence: 'unknown' }, waitersEvidence: 'unknown' },
      ]);
    }
    const { lock } = await askLock('inv:gap', t() + 1900);
    expect(lock?.waiters).toMatchObject([{ owner: 'B', evidence: 'unknown' }]);
  });

  it('is sure again where the gap ends, and before it begins', async () => {
    for (const afterMs of [-1, 2500]) {
      const answer = await ask({ at: t() + afterMs, q: 'inv:gap' });
      expect(answer.gap).toBeNull();
      expect(answer.items[0]?.hold?.evidence).toBe('observed');
    }
  });

  it('says from when on holds are kept', async () => {
    expect((await ask({ at: base - MINUTE_MS })).keptFrom).toBe(base);
    expect((await ask({ at: t() })).keptFrom).toBe(base);
  });
});

it('tells the whole picture of a moment, and of no other', async () => {
  const at = base + 5 * MINUTE_MS;
  await write(
    aHold({ db: 0, key: 'inv:then', owner: 'x', start: at - 3 * MINUTE_MS, end: at + 1 }),
    aHold({ db: 0, key: 'inv:before', owner: 'y', start: at - 10, end: at }),
    aHold({ db: 0, key: 'inv:after', owner: 'z', start: at + 1, end: at + 2 }),
  );
  expect(holdersIn(await ask({ at }))).toEqual({ 'inv:then': 'x' });
});
