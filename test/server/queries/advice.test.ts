import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesFromText, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { AdvicePage } from '@/lib/protocol/measures';
import { runQuery } from '@/server/queries';
import { ROLLUP_STEP_MS, type Rollup } from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';
import { emptySums } from '@/server/store/sums';
import { createSeededRandom } from '@/lib/analysis/replay-random';
import {
  ordersAndReconciliations,
  simulateLocks,
  type Visit,
} from '@/test/lib/analysis/replay-samples';
import { startServer, TARGET, type TestServer } from './server-under-test';

const HOUR_MS = 3_600_000;
const SPAN_MS = 10 * 60_000;

let server: TestServer;
/** Each test has an hour of its own, of the last day: there history is kept in minutes. */
let from = 0;
let generation = 0;

beforeAll(async () => {
  server = await startServer();
  from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 22 * HOUR_MS;
});
beforeEach(() => {
  from += HOUR_MS;
});
afterAll(() => server.stop());

interface Series {
  class: string;
  key?: Bytes;
  formatId?: string;
}

const nameOf = ({ class: lockClass, formatId = 'qoder' }: Series) => ({
  target: TARGET,
  class: lockClass,
  namespace: lockClass.split(':')[0] ?? '',
  formatId,
});

/** A hold `startMs` after the start of the test's time. */
function aHold(
  series: Series,
  [startMs, endMs]: [number, number],
  more: { waitedMs?: number; owner?: string; businessId?: string } = {},
): HoldRow {
  generation += 1;
  const { waitedMs = 0, owner = `owner-${generation}`, businessId = null } = more;
  return {
    ...nameOf(series),
    db: 0,
    key: series.key ?? series.class,
    token: null,
    acquisitions: 1,
    waited: waitedMs > 0 ? { ms: waitedMs, source: 'report', evidence: 'observed' } : null,
    past: {
      generation,
      owner,
      start: from + startMs,
      end: from + endMs,
      endReason: 'released',
      evidence: 'observed',
      ...{ renewals: 0, maxDepth: 1, endedBy: null, lateReleaseMs: null, notes: [] },
      businessId,
    },
  };
}

/** Holds of one lock that serves `count` who come by chance, on average every `everyMs`. */
function served(
  series: Series,
  { count, everyMs, holdMs, idOf }: Work,
  random = createSeededRandom(5),
): HoldRow[] {
  let at = 0;
  let freeAt = 0;
  return Array.from({ length: count }, (_, n) => {
    at += Math.round(-Math.log(1 - random()) * everyMs);
    const start = Math.max(at, freeAt);
    freeAt = start + holdMs;
    const businessId = idOf?.(n);
    return aHold(series, [start, freeAt], {
      waitedMs: start - at,
      ...(businessId !== undefined && { businessId }),
    });
  });
}

const nested = (visits: readonly Visit[]): HoldRow[] =>
  simulateLocks(visits).map(({ lock, start, end, waitedMs, owner }) =>
    aHold({ class: lock }, [start, end], { waitedMs, ...(owner !== null && { owner }) }),
  );

interface Work {
  count: number;
  everyMs: number;
  holdMs: number;
  idOf?: (n: number) => string;
}

/** What the recorder would have added up of these holds, per class and per lock, in one step. */
function rollupsOf(rows: readonly HoldRow[], overrides: Partial<Rollup> = {}): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const row of rows) {
    const { class: lockClass, namespace, formatId, db, key } = row;
    for (const lock of [null, { db, key }]) {
      const id = `${lockClass}\n${lock?.key ?? ''}`;
      const rollup = rollups.get(id) ?? {
        ...{ target: TARGET, class: lockClass, namespace, formatId, lock },
        ...emptySums(),
        ...{ step: from, spanMs: ROLLUP_STEP_MS, sketches: {} },
      };
      rollups.set(id, rollup);
      const waitedMs = row.waited?.ms ?? 0;
      rollup.acquisitions += 1;
      rollup.heldMs += (row.past.end ?? 0) - row.past.start;
      rollup.waiterMs = (rollup.waiterMs ?? 0) + waitedMs;
      rollup.waitMs = (rollup.waitMs ?? 0) + waitedMs;
      rollup.waits = (rollup.waits ?? 0) + (waitedMs > 0 ? 1 : 0);
      Object.assign(rollup, overrides);
    }
  }
  return [...rollups.values()];
}

async function record(rows: readonly HoldRow[], overrides: Partial<Rollup> = {}): Promise<void> {
  const { store } = server.context;
  await store.writeHolds(rows);
  await store.writeRollups({ rollups: rollupsOf(rows, overrides), blame: [] });
}

async function ask(): Promise<AdvicePage> {
  const answer = await runQuery(server.as('viewer'), 'advice', { from, to: from + SPAN_MS });
  const wire: unknown = JSON.parse(JSON.stringify(answer));
  const page = AdvicePage.parse(wire);
  // Nothing beyond the schema either, which parsing would leave out.
  expect(page).toEqual(wire);
  return page;
}

const HOT: Work = { count: 4000, everyMs: 100, holdMs: 85 };

describe('advice', () => {
  it('splits a hot lock into the least number of segments that brings enough', async () => {
    const rows = served({ class: 'stock:sku-*', key: 'stock:sku-1' }, HOT);
    await record(rows);
    const { items, silent } = await ask();
    expect(silent).toEqual([]);
    expect(items).toMatchObject([
      {
        kind: 'split',
        classes: ['stock:sku-*'],
        namespace: 'stock',
        lock: { db: 0, key: 'stock:sku-1', keyB64: toBase64Url(bytesFromText('stock:sku-1')) },
        segments: 2,
        assumes: 'any-segment',
        evidence: 'observed',
        basis: { from, to: from + SPAN_MS, arrivals: HOT.count },
      },
    ]);
    const [advice] = items;
    const waitedMs = rows.reduce((sum, { waited }) => sum + (waited?.ms ?? 0), 0);
    expect(advice?.basis.recorded).toBeCloseTo(waitedMs / SPAN_MS, 6);
    // Served first come first served, so that its replay is the record itself.
    expect(advice?.contentionNow).toBeCloseTo(waitedMs / SPAN_MS, 6);
    expect(advice?.drop).toBeGreaterThan(0.42);
    expect(advice?.options.map(({ segments }) => segments)).toEqual([2, 4, 8, 10, 16]);
    expect(advice?.options.map(({ drop }) => drop)).toEqual(
      advice?.options.map(({ drop }) => drop).toSorted((a, b) => a - b),
    );
    expect(advice?.waitMsThen.p99).toBeLessThan(advice?.basis.waitMs.p99 ?? 0);
  });

  it('splits by what is worked on, where the holders say it', async () => {
    const idOf = (n: number): string => `customer-${n % 50}`;
    await record(served({ class: 'sync:all' }, { ...HOT, idOf }));
    expect((await ask()).items).toMatchObject([{ kind: 'split', assumes: 'business-id' }]);
  });

  it('takes two locks as one where who waits for the second holds up all others', async () => {
    await record(nested(ordersAndReconciliations(60)));
    const { items, silent } = await ask();
    // The ledger could be split as well; splitting the account would only move its waiting to the ledger.
    expect(items.map(({ kind, classes }) => [kind, ...classes])).toEqual([
      ['group', 'account', 'ledger'],
      ['split', 'ledger'],
    ]);
    expect(silent).toEqual([]);
    const [advice] = items;
    expect(advice).toMatchObject({ segments: null, assumes: 'held-together', options: [] });
    expect(advice?.drop).toBeGreaterThan(0.42);
    expect(advice?.basis).toMatchObject({ together: 60 * 60, arrivals: 2 * 60 * 60 + 6 * 60 });
  });

  it('says that a split would only move the waiting, where one lock in place of two spares too little', async () => {
    await record(nested(ordersAndReconciliations(60, 60)));
    const { items, silent } = await ask();
    expect(items.filter(({ kind }) => kind === 'group')).toEqual([]);
    expect(silent).toEqual([{ class: 'account', namespace: 'account', because: 'waits-inside' }]);
  });

  it.each([
    ['waits-unknown', { formatId: 'redlock' }, { waits: null, waitMs: null, waiterMs: null }],
    ['several-holders', { formatId: 'qoder-semaphore' }, {}],
    ['too-few', {}, { waits: 12 }],
  ] as const)('says of a class that it is %s', async (because, series, overrides) => {
    await record(served({ class: 'task:*', key: 'task:1', ...series }, HOT), overrides);
    const { items, silent } = await ask();
    expect({ items, silent }).toEqual({
      items: [],
      silent: [{ class: 'task:*', namespace: 'task', because }],
    });
  });

  it('says that the waiting is spread over many locks', async () => {
    const rows = Array.from({ length: 8 }, (_, n) =>
      served({ class: 'task:*', key: `task:${n}` }, { ...HOT, count: 400 }),
    );
    await record(rows.flat());
    expect((await ask()).silent).toMatchObject([{ because: 'spread' }]);
  });

  it('says that nothing helps where nearly all is about the same', async () => {
    const idOf = (n: number): string => (n % 20 === 0 ? `other-${n}` : 'the one');
    await record(served({ class: 'sync:all' }, { ...HOT, idOf }));
    expect((await ask()).silent).toMatchObject([{ because: 'nothing-helps' }]);
  });

  it('says nothing where the record contradicts itself', async () => {
    const rows = Array.from({ length: 200 }, (_, n) =>
      aHold({ class: 'odd:all' }, [n * 1000, n * 1000 + 10], { waitedMs: 900 }),
    );
    await record(rows);
    expect((await ask()).silent).toMatchObject([{ because: 'not-reproduced' }]);
  });

  it('says nothing of what is hardly waited for', async () => {
    await record(served({ class: 'calm:all' }, { count: 100, everyMs: 5000, holdMs: 2 }));
    expect(await ask()).toMatchObject({ items: [], silent: [] });
  });

  it('is the same when it is asked for again, and is not computed twice', async () => {
    await record(served({ class: 'stock:all' }, HOT));
    const first = await ask();
    let reads = 0;
    const { store } = server.context;
    const counted = {
      ...server.as('viewer'),
      store: { ...store, holds: () => ((reads += 1), Promise.reject(new Error('read'))) },
    };
    expect(await runQuery(counted, 'advice', { from, to: from + SPAN_MS })).toEqual(first);
    expect(reads).toBe(0);
  });

  it('looks at the last holds of a lock that has had very many', async () => {
    await record(served({ class: 'stock:all' }, { count: 7000, everyMs: 70, holdMs: 60 }));
    const [advice] = (await ask()).items;
    expect(advice?.basis.arrivals).toBeGreaterThanOrEqual(5000);
    expect(advice?.basis.arrivals).toBeLessThan(7000);
    expect(advice?.basis.from).toBeGreaterThan(from);
  });

  it('refuses a range that ends before it begins', async () => {
    const asked = runQuery(server.as('viewer'), 'advice', { from: from + 1, to: from });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
