import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  QUERIES,
  type QueryName,
  type QueryParams,
  type QueryResult,
} from '@/lib/protocol/queries';
import { runQuery } from '@/server/queries';
import { addressOf, startServer, TARGET, text, type TestServer } from './server-under-test';
import { until } from '@/test/support/until';

const HOUR_MS = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const { client, context } = server;
  // However long it takes here, nothing of this is held for too long.
  const setting = { enabled: true, severity: null, forMs: 0, keepFiringMs: 0 };
  const rule = { class: null, actor: 'ada', reason: 'a slow machine', at: Date.now() };
  for (const code of ['long-hold', 'no-expiry'] as const) {
    const threshold = { kind: 'static', value: HOUR_MS } as const;
    context.rules.save({ ...rule, code, setting: { ...setting, threshold } });
  }
  await client.set('lock:orders:1', 'alpha', 'PX', HOUR_MS);
  await client.set('lock:orders:2', 'beta');
  await client.set('mutex:jobs', '0b7e7e7e-0000-4000-8000-000000000001', 'PX', HOUR_MS);
  await client.set('lock:gone', 'gamma', 'PX', HOUR_MS);
  await server.lock('lock:gone');
  await client.del('lock:gone');
  await server.lock('lock:gone', ({ state }) => state === 'free');
  for (const key of ['lock:orders:1', 'lock:orders:2', 'mutex:jobs']) await server.lock(key);
});
afterAll(() => server.stop());

/** Runs a query as a viewer and checks the answer against its own schema. */
async function ask<N extends QueryName>(name: N, params: QueryParams<N>): Promise<QueryResult<N>> {
  const result = await runQuery(server.as('viewer'), name, params);
  const wire: unknown = JSON.parse(JSON.stringify(result));
  const parsed = QUERIES[name].result.parse(wire) as QueryResult<N>;
  // Nothing beyond the schema either, which parsing would leave out.
  expect(parsed).toEqual(wire);
  return parsed;
}

const keysOf = async (params: QueryParams<'locks'>): Promise<string[]> =>
  (await ask('locks', params)).items.map(({ key }) => key);

describe('every query', () => {
  it('answers what its schema says', async () => {
    expect((await ask('overview', {})).counters).toMatchObject({ held: 3, free: 1, noExpiry: 1 });
    expect(await ask('deadlocks', {})).toEqual([]);
    expect(await ask('targets', {})).toMatchObject([{ id: TARGET, nodes: [{ connected: true }] }]);
    const classes = (await ask('classes', {})).items.map((each) => each.class);
    expect(classes).toEqual(expect.arrayContaining(['lock:gone', 'lock:orders:*']));
    expect(await ask('heatmap', {})).toMatchObject({ metric: 'hold-share', rowsLeftOut: 0 });
    expect(await ask('waits', {})).toMatchObject({ count: 0, sources: [], evidence: 'unknown' });
    expect(await ask('blame', {})).toMatchObject({ totalMs: 0, leaves: [], evidence: 'unknown' });
    expect((await ask('alerts', {})).items).toEqual([]);
    expect((await ask('audit', {})).items).toEqual([]);
    const holds = (await ask('holds', { key: 'lock:gone' })).items;
    expect(holds).toMatchObject([{ owner: 'gamma', endReason: 'released' }]);
  });

  it('names the field that does not fit', async () => {
    await expect(runQuery(server.as('viewer'), 'locks', { limit: 0 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'limit' },
      message: expect.stringContaining('limit'),
    });
  });

  it('is one of the known', async () => {
    await expect(runQuery(server.as('viewer'), 'secrets', {})).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('the list of locks', () => {
  it('leaves out free locks when asked to, and still says how many there are', async () => {
    const page = await ask('locks', { free: 'hide' });
    expect(page.items.map(({ key }) => key)).not.toContain('lock:gone');
    expect(page).toMatchObject({ total: 3, all: 4, releasable: null });
  });

  it('counts what a bulk release would ask for', async () => {
    expect((await ask('locks', { q: 'lock:' })).releasable).toBe(2);
    expect((await ask('locks', { state: 'free' })).releasable).toBe(0);
  });

  it('shows what is held before what is free', async () => {
    const page = await ask('locks', {});
    expect(page.items.map(({ key }) => key)).toEqual([
      ...['lock:orders:1', 'lock:orders:2', 'mutex:jobs'],
      'lock:gone',
    ]);
    expect(page).toMatchObject({ total: 4, all: 4, offset: 0, cursor: null });
  });

  it('finds text in keys, owners and classes, in any case', async () => {
    expect(await keysOf({ q: 'ORDERS' })).toEqual(['lock:orders:1', 'lock:orders:2']);
    expect(await keysOf({ q: 'Beta' })).toEqual(['lock:orders:2']);
    expect(await keysOf({ q: 'orders:*' })).toHaveLength(2);
    expect(await keysOf({ q: 'nothing of the kind' })).toEqual([]);
  });

  it('filters exactly', async () => {
    expect(await keysOf({ state: 'free' })).toEqual(['lock:gone']);
    expect(await keysOf({ format: 'redis-semaphore-mutex' })).toEqual(['mutex:jobs']);
    expect(await keysOf({ owner: 'alpha' })).toEqual(['lock:orders:1']);
    expect(await keysOf({ db: 5 })).toEqual([]);
    expect(await keysOf({ view: 'no-expiry' })).toEqual(['lock:orders:2']);
    expect(await keysOf({ view: 'long-holds' })).toEqual([]);
  });

  it('pages by its cursor', async () => {
    const first = await ask('locks', { sort: 'key', limit: 3 });
    expect(first).toMatchObject({ cursor: '3', total: 4 });
    const rest = await ask('locks', { sort: 'key', limit: 3, cursor: first.cursor ?? '' });
    expect(rest).toMatchObject({ offset: 3, cursor: null });
    expect([...first.items, ...rest.items].map(({ key }) => key)).toEqual([
      ...['lock:gone', 'lock:orders:1', 'lock:orders:2', 'mutex:jobs'],
    ]);
  });

  it('sorts by the end of the lease, those that never end after those that do', async () => {
    expect((await keysOf({ sort: 'deadline' })).slice(2)).toEqual(['lock:orders:2', 'lock:gone']);
  });
});

describe('one lock', () => {
  it.each([
    ['hash', true, 'wakes-head'],
    ['string', false, 'wakes-nobody'],
  ])('says of a %s of our own whether its release wakes (%s)', async (type, wakes, note) => {
    const key = `qoder:lock:${type}`;
    if (type === 'hash') await server.client.hset(key, 'i-1:t', 1);
    else await server.client.set(key, 'i-1:t');
    const { library } = await server.lock(key);
    expect(library).toMatchObject({ wakes, releaseNotes: expect.arrayContaining([note]) });
    await server.client.del(key);
    await server.lock(key, ({ state }) => state === 'free');
  });

  it('shows its value, its library and the commands that show the same', async () => {
    const lock = await ask('lock', addressOf('lock:orders:1'));
    expect(lock.raw).toMatchObject({
      type: 'string',
      entries: [{ name: null, text: 'alpha', hex: '616c706861' }],
      truncated: false,
    });
    expect(lock.library.readOnly).toBe(false);
    expect(lock.commands.map(({ purpose }) => purpose)).toEqual(['look', 'ttl', 'release']);
  });

  it('can be released by an operator and not by a viewer', async () => {
    expect((await ask('lock', addressOf('lock:orders:1'))).cannotReleaseBecause).toMatch(
      /operator/,
    );
    const asOperator = await runQuery(server.as('operator'), 'lock', addressOf('lock:orders:1'));
    expect(asOperator).toMatchObject({ canRelease: true, cannotReleaseBecause: null });
  });

  it('keeps its past holds', async () => {
    const lock = await ask('lock', addressOf('lock:gone'));
    expect(lock.holds).toMatchObject([{ owner: 'gamma', endReason: 'released', generation: 1 }]);
    expect(lock.canRelease).toBe(false);
  });

  it('is found in history when the table has forgotten it', async () => {
    const past = { start: 1000, end: 2000, owner: 'old', generation: 3, endReason: 'evicted' };
    await server.context.store.writeHolds([
      {
        ...{ target: 'main', db: 0, key: 'lock:long-ago', class: 'lock:long-ago', namespace: '' },
        ...{ formatId: 'pattern', token: 'old', acquisitions: 3, waited: null },
        past: {
          ...past,
          endReason: 'evicted',
          evidence: 'observed',
          ...{ renewals: 0, maxDepth: 1, endedBy: null, lateReleaseMs: null, notes: [] },
        },
      },
    ]);
    const lock = await ask('lock', addressOf('lock:long-ago'));
    expect(lock).toMatchObject({ state: 'free', hold: null, acquisitions: 3, holds: [past] });
    expect(lock.lastEnd).toMatchObject({ reason: 'evicted', owner: 'old', at: 2000 });
  });

  it('is not found when nobody ever saw it', async () => {
    await expect(ask('lock', addressOf('lock:never'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const elsewhere = { ...addressOf('lock:orders:1'), target: 'other' };
    await expect(ask('lock', elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const broken = { ...addressOf('a'), keyB64: '%%' };
    await expect(ask('lock', broken)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('who held a lock', () => {
  it('is known for a moment, before it is written anywhere', async () => {
    await server.client.set('lock:when', 'first', 'PX', HOUR_MS);
    const { hold } = await server.lock('lock:when');
    const at = hold?.since ?? 0;
    const page = await ask('holds', { key: 'lock:when', at });
    expect(page).toMatchObject({ at, inGap: false, items: [{ owner: 'first', end: null }] });
    expect((await ask('holds', { key: 'lock:when', at: at - 1000 })).items).toEqual([]);
  });

  it('is found by the printed form of any key', async () => {
    const key = text('Schloss\\é');
    await server.client.set(Buffer.from(`${key}\x01`, 'latin1'), 'tok', 'PX', HOUR_MS);
    await server.lock(`${key}\x01`);
    const { items } = await ask('holds', { key: 'Schloss\\\\é\\x01' });
    expect(items).toMatchObject([{ owner: 'tok', key: 'Schloss\\\\é\\x01' }]);
  });
});

describe('figures', () => {
  it('count the acquisitions of a class within seconds', async () => {
    for (let i = 0; i < 5; i++) {
      await server.client.set('lock:counted:1', `t${i}`, 'PX', HOUR_MS);
      await server.client.del('lock:counted:1');
    }
    const counted = await until('the class', async () => {
      const { items } = await ask('classes', {});
      return items.find((one) => one.class.includes('counted') && one.holdMs.count === 5);
    });
    expect(counted).toMatchObject({ acquisitions: 5, ends: { released: 5 }, evidence: 'unknown' });
    expect(counted.contention).toBeNull();
    const waits = await ask('waits', { class: counted.class });
    expect(waits).toMatchObject({ count: 0, evidence: 'unknown', holds: { count: 5 } });
    expect(waits.notObservable).toMatchObject([{ class: counted.class, reason: 'polls' }]);
  });

  it('are unknown in a heatmap before the first watch', async () => {
    const heat = await ask('heatmap', { metric: 'acquisitions' });
    expect(heat.columns.length).toBeLessThanOrEqual(361);
    expect(heat.stepMs).toBe(10_000);
    for (const values of heat.values) {
      expect(values).toHaveLength(heat.columns.length);
      expect(values[0]).toBeNull();
      expect(values.at(-1)).not.toBeNull();
    }
  });

  it('can be drawn by lock and by owner', async () => {
    await server.context.recorder.flush();
    const byOwner = await until('the owner’s row', async () => {
      const heat = await ask('heatmap', { group: 'owner' });
      return heat.rows.some(({ label }) => label === 'alpha') ? heat : null;
    });
    expect(byOwner.rows[0]?.path).toHaveLength(3);
    const byLock = await ask('heatmap', { group: 'lock', rows: 1 });
    expect(byLock.rows).toHaveLength(1);
  });

  it('come together on the overview', async () => {
    const overview = await ask('overview', {});
    expect(overview.counters.held).toBeGreaterThanOrEqual(3);
    expect(overview.counters.noExpiry).toBe(1);
    expect(overview.counters.waitingUnknownLocks).toBeGreaterThanOrEqual(3);
    expect(overview.targets).toMatchObject([{ id: 'main', connected: true }]);
    expect(overview.busiest.length).toBeGreaterThan(0);
  });
});
