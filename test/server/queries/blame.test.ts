import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import type { Blame } from '@/lib/protocol/measures';
import type { BlameParams } from '@/lib/protocol/queries';
import type { BlameRow, Rollup } from '@/server/store/history-contract';
import {
  aBlame,
  aHold,
  aLeftWait,
  aRollup,
  MINUTE_MS,
  seeded,
  sketchOf,
  STEP_MS,
} from './history-samples';
import { ask as askQuery } from './ask';
import { until } from '@/test/support/until';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
let base: number;

beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS;
});
afterAll(() => server.stop());

const ask = (params: BlameParams): Promise<Blame> =>
  askQuery({ ...server.as('viewer'), startedAt: base }, 'blame', params);

const write = (blame: BlameRow[], rollups: Rollup[] = []): Promise<void> =>
  server.context.store.writeRollups({ rollups, blame });

const within = () => ({ from: base, to: base + 5 * MINUTE_MS });

describe('blame', () => {
  it('ranks those who made others wait, of all the time that was waited', async () => {
    const of = { namespace: 'ranked', class: 'ranked:*' };
    await write([
      aBlame({ ...of, step: base, owner: 'anna', waiterMs: 400 }),
      aBlame({ ...of, step: base + STEP_MS, owner: 'anna', waiterMs: 700 }),
      aBlame({
        ...of,
        step: base,
        owner: 'bert',
        waiterMs: 900,
        lock: { db: 1, key: 'ranked:\xff' },
      }),
      aBlame({ ...of, step: base, cause: 'unnamed', owner: null, waiterMs: 30 }),
      aBlame({ ...of, step: base, cause: 'nobody', owner: null, waiterMs: 20 }),
      aBlame({ ...of, step: base, cause: 'others', owner: null, lock: null, waiterMs: 10 }),
    ]);
    const answer = await ask({ namespace: 'ranked', ...within() });
    expect(answer.totalMs).toBe(2060);
    expect(answer.leaves.map(({ cause, owner, waitMs }) => [cause, owner, waitMs])).toEqual([
      ['holder', 'anna', 1100],
      ['holder', 'bert', 900],
      ['unnamed', null, 30],
      ['nobody', null, 20],
      ['others', null, 10],
    ]);
    expect(answer.leaves[1]?.lock).toEqual({ db: 1, key: 'ranked:\\xff', keyB64: 'cmFua2VkOv8' });
    expect(answer.leaves[4]).toMatchObject({ ...of, lock: null });
    expect(answer.leftOut).toEqual({ count: 0, waitMs: 0 });
  });

  it('puts what threads and tasks caused down to their process when asked to', async () => {
    const shop = '215ca614-f5bb-41ce-a915-606e4c0d18d3';
    const of = { namespace: 'process', class: 'process:*', step: base };
    await write([
      aBlame({ ...of, owner: `${shop}:1`, waiterMs: 400 }),
      aBlame({ ...of, owner: `${shop}:2:write`, waiterMs: 300 }),
      aBlame({ ...of, owner: 'cron:1', waiterMs: 50 }),
      aBlame({ ...of, cause: 'nobody', owner: null, waiterMs: 20 }),
    ]);
    const asked = { namespace: 'process', ...within() };
    const told = ({ leaves }: Blame) => leaves.map(({ owner, waitMs }) => [owner, waitMs]);
    expect(told(await ask({ ...asked, by: 'process' }))).toEqual([
      [shop, 700],
      ['cron:1', 50],
      [null, 20],
    ]);
    expect(told(await ask(asked))).toHaveLength(4);
  });

  it('tells where a holder runs, as its client says', async () => {
    const redis = server.redis.client();
    const client = createLockClient({ redis, allowInsecure: true, app: 'order-7' });
    const lock = await client.acquire('placed:1');
    try {
      await until(
        'its instance is known',
        () => server.context.table.get(0, lock.key)?.hold?.owner?.app,
      );
      const of = { namespace: 'placed', class: 'placed:*', lock: { db: 0, key: lock.key } };
      await write([
        aBlame({ ...of, step: base, owner: `${client.instance}:99`, waiterMs: 41 }),
        aBlame({ ...of, step: base, owner: 'somebody', waiterMs: 4 }),
        aBlame({ ...of, step: base, owner: `${client.instance}:7`, waiterMs: 2, lock: null }),
      ]);
      const { leaves } = await ask({ namespace: 'placed', by: 'process', ...within() });
      expect(leaves[0]).toMatchObject({
        owner: client.instance,
        place: { app: 'order-7', pid: process.pid },
      });
      expect(leaves[1]).not.toHaveProperty('place');
      // It said so at another lock.
      expect(leaves[2]).toMatchObject({ lock: null, place: { app: 'order-7' } });
    } finally {
      await client.close();
      redis.disconnect();
    }
  });

  it('adds up, whatever is left out', async () => {
    const random = seeded(5);
    const rows = Array.from({ length: 500 }, (_, i) =>
      aBlame({
        ...{ namespace: 'sum', class: `sum:${i % 7}`, step: base + (i % 20) * STEP_MS },
        ...{ lock: { db: 0, key: `sum:${i % 7}:${i % 41}` }, owner: `o${i % 60}` },
        waiterMs: Math.ceil(random() * 10_000),
      }),
    );
    await write(rows);
    const total = rows.reduce((sum, { waiterMs }) => sum + waiterMs, 0);
    for (const limit of [1, 50, 1000]) {
      const { leaves, leftOut, totalMs } = await ask({ namespace: 'sum', limit, ...within() });
      expect(totalMs).toBe(total);
      expect(leaves.length).toBeLessThanOrEqual(limit);
      expect(leaves.reduce((sum, { waitMs }) => sum + waitMs, leftOut.waitMs)).toBe(total);
      expect(leaves).toEqual(leaves.toSorted((a, b) => b.waitMs - a.waitMs));
      expect(leftOut.count === 0).toBe(limit === 1000);
    }
    expect((await ask({ namespace: 'sum', ...within() })).leaves).toHaveLength(200);
  });

  it('takes one holder for one, in whatever format its lock is read', async () => {
    const of = { namespace: 'mixed', class: 'mixed:*', step: base };
    await write([
      aBlame({ ...of, formatId: 'redisson', waiterMs: 5 }),
      aBlame({ ...of, formatId: 'redisson-fair', waiterMs: 6 }),
    ]);
    expect((await ask({ namespace: 'mixed', ...within() })).leaves).toMatchObject([{ waitMs: 11 }]);
  });

  it('is told of one class and of one lock', async () => {
    const of = { namespace: 'part', class: 'part:*', step: base };
    await write([
      aBlame({ ...of, lock: { db: 0, key: 'part:1' }, waiterMs: 5 }),
      aBlame({ ...of, lock: { db: 0, key: 'part:2' }, waiterMs: 6 }),
      aBlame({ ...of, class: 'part:other', waiterMs: 7 }),
    ]);
    expect((await ask({ class: 'part:*', ...within() })).totalMs).toBe(11);
    expect((await ask({ key: 'part:2', ...within() })).totalMs).toBe(6);
    expect((await ask({ keyB64: btoa('part:1'), db: 0, ...within() })).totalMs).toBe(5);
    expect((await ask({ key: 'part:1', db: 3, ...within() })).totalMs).toBe(0);
  });

  it('of a lock that was too small to be kept for long is told from its waits and holds', async () => {
    const lock = { db: 0, key: 'small:1' };
    const at = base - 5 * 60 * MINUTE_MS;
    const hold = (owner: string, generation: number, start: number, end: number) =>
      aHold({ ...lock, owner, generation, start: at + start, end: at + end });
    await server.context.store.writeHolds([
      hold('ada', 1, 0, 1000),
      hold('bob', 2, 1200, 5000),
      hold('cyd', 3, 5000, 9000),
    ]);
    await server.context.store.writeLeftWaits([
      aLeftWait({ ...lock, owner: 'w1', start: at + 400, end: at + 1500 }),
      aLeftWait({ ...lock, owner: 'w2', start: at + 4000, end: at + 6000 }),
      aLeftWait({ ...lock, owner: 'w3', start: at + 500, end: at + 9000, source: 'token-time' }),
    ]);
    const range = { from: at, to: at + MINUTE_MS };
    const answer = await ask({ key: 'small:1', db: 0, ...range });
    expect(answer.totalMs).toBe(3100);
    expect(answer.leaves.map(({ owner, cause, waitMs }) => [owner ?? cause, waitMs])).toEqual([
      ...[
        ['bob', 1300],
        ['cyd', 1000],
        ['ada', 600],
        ['nobody', 200],
      ],
    ]);
  });

  it('is of the last five minutes where no range is asked for', async () => {
    const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
    const of = { namespace: 'lately', class: 'lately:*' };
    await write([
      aBlame({ ...of, step: now - 2 * MINUTE_MS, waiterMs: 5 }),
      aBlame({ ...of, step: now - 7 * MINUTE_MS, waiterMs: 100 }),
    ]);
    const answer = await ask({ namespace: 'lately' });
    expect(answer.totalMs).toBe(5);
    expect(answer.to - answer.from).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(answer.to - answer.from).toBeLessThan(5 * MINUTE_MS + 2 * STEP_MS);
  });

  it('names the gaps of its range', async () => {
    const gap = {
      from: base + MINUTE_MS,
      to: base + MINUTE_MS + 500,
      reason: 'buffer-cut',
    } as const;
    await server.context.store.writeGap(server.context.targetId, gap);
    expect((await ask(within())).gaps).toEqual([gap]);
  });
});

describe('what blame cannot tell', () => {
  const rollup = (namespace: string, lockClass: string, over: Partial<Rollup>): Rollup =>
    aRollup({ namespace, class: lockClass, step: base, ...over });

  it('is named: classes that were held and of which nobody can count who waits', async () => {
    await write(
      [],
      [
        rollup('dim', 'dim:polls', { formatId: 'redlock', waiterMs: null }),
        rollup('dim', 'dim:counted', { formatId: 'redisson', waiterMs: 0 }),
        rollup('dim', 'dim:never', { formatId: 'shedlock', waiterMs: null }),
        rollup('dim', 'dim:idle', {
          ...{ formatId: 'redlock', waiterMs: null },
          ...{ acquisitions: 0, heldMs: 0, attempts: 3, ends: {} },
        }),
      ],
    );
    const answer = await ask({ namespace: 'dim', ...within() });
    expect(answer.notObservable).toEqual(['dim:polls']);
    expect(answer).toMatchObject({ totalMs: 0, evidence: 'observed' });
  });

  it('is everything where no class shows who waits: then no time is no finding', async () => {
    const over = { formatId: 'redlock', waiterMs: null };
    await write([], [rollup('dark', 'dark:*', over)]);
    expect(await ask({ namespace: 'dark', ...within() })).toMatchObject({
      ...{ totalMs: 0, leaves: [], evidence: 'unknown', notObservable: ['dark:*'] },
    });
    expect(await ask({ namespace: 'nothing here', ...within() })).toMatchObject({
      ...{ totalMs: 0, evidence: 'unknown', notObservable: [] },
    });
  });

  it('weakens what it tells: the least certain class decides', async () => {
    const inferred = {
      formatId: 'qoder',
      waiterMs: 50,
      sketches: { 'token-time': sketchOf([50]) },
    };
    await write(
      [aBlame({ namespace: 'weak', class: 'weak:1', step: base })],
      [rollup('weak', 'weak:1', { waiterMs: 50 }), rollup('weak', 'weak:2', inferred)],
    );
    expect((await ask({ namespace: 'weak', ...within() })).evidence).toBe('inferred');
    expect((await ask({ class: 'weak:1', ...within() })).evidence).toBe('observed');
    expect((await ask({ key: 'order:7', namespace: 'weak', ...within() })).evidence).toBe(
      'observed',
    );
  });
});
