import { expect, it } from 'vitest';
import type { PastHold } from '@/lib/protocol/lock';
import { aHold } from './samples';
import { onBoth } from './store-under-test';

onBoth('history of holds', (place) => {
  it('gives back every field of a hold, newest first', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const older = aHold({
      past: {
        notes: ['touches-gap', 'moved-in'],
        endedBy: 'ben',
        lateReleaseMs: 7,
        businessId: 'SO-17',
      },
    });
    const newer = aHold({
      acquisitions: 2,
      token: null,
      past: { generation: 2, start: 1_000_900, end: null, endReason: null, owner: null },
    });
    await store.writeHolds([older, newer]);
    expect(await store.holds({ limit: 10 })).toEqual([newer, older]);
    expect(await store.holds({ limit: 1 })).toEqual([newer]);
  });

  it('replaces a hold that is written again, also when its start was corrected', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeHolds([aHold({ past: { end: null, endReason: null } })]);
    await store.writeHolds([aHold({ past: { start: 999_900, end: 1_002_000 } })]);
    const rows = await store.holds({ limit: 10 });
    expect(rows).toEqual([aHold({ past: { start: 999_900, end: 1_002_000 } })]);
  });

  it.each([
    ['earlier', 1_999_900],
    ['later', 2_000_100],
  ])('replaces among many holds of its lock the one that began %s', async (_, start) => {
    const store = (await place.fresh()).open();
    await store.start();
    const past = { generation: 2, end: null, endReason: null };
    const before = aHold({ past: { generation: 1, start: 1_000_000, end: 1_500_000 } });
    const after = aHold({ past: { generation: 3, start: 3_000_000, end: 3_000_001 } });
    await store.writeHolds([before, aHold({ past: { ...past, start: 2_000_000 } }), after]);
    const moved = aHold({ past: { generation: 2, start, end: 2_500_000 } });
    await store.writeHolds([moved]);
    expect(await store.holds({ limit: 10 })).toEqual([after, moved, before]);
  });

  it('keeps an earlier hold of the same generation number that had ended before', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeHolds([aHold()]);
    await store.writeHolds([aHold({ past: { start: 5_000_000, end: 5_000_001 } })]);
    expect(await store.holds({ limit: 10 })).toHaveLength(2);
  });

  it('keeps keys and tokens of any bytes and of 5,000 bytes', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const every = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('');
    const keys = [
      '\0',
      every,
      every.repeat(20).slice(0, 5000),
      'ÿ'.repeat(5000),
      'a'.repeat(31),
      'a'.repeat(32),
    ];
    await store.writeHolds(keys.map((key) => aHold({ key, token: key })));
    for (const key of keys) {
      expect(await store.holds({ key, limit: 5 })).toEqual([aHold({ key, token: key })]);
    }
    const unicode = aHold({
      class: 'заказ:*',
      namespace: '订单',
      past: { owner: 'Zoë 🔒' },
      key: 'u',
    });
    await store.writeHolds([unicode]);
    expect(await store.holds({ class: 'заказ:*', limit: 5 })).toEqual([unicode]);
  });

  it('tells locks apart by target and db', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rows = [aHold(), aHold({ db: 1 }), aHold({ target: 'other' })];
    await store.writeHolds(rows);
    expect(await store.holds({ limit: 10 })).toHaveLength(3);
    expect(await store.holds({ db: 1, limit: 10 })).toEqual([rows[1]]);
    expect(await store.holds({ target: 'other', limit: 10 })).toEqual([rows[2]]);
  });

  it('finds who held at a moment, short and long holds and open ones', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const short = aHold({ key: 'short' });
    const long = aHold({ key: 'long', past: { start: 100_000, end: 2_000_000 } });
    const open = aHold({ key: 'open', past: { start: 50_000, end: null, endReason: null } });
    const before = aHold({ key: 'before', past: { start: 900_000, end: 1_000_100 } });
    await store.writeHolds([short, long, open, before]);
    const keysAt = async (at: number) =>
      (await store.holds({ at, limit: 10 })).map(({ key }) => key);
    expect(await keysAt(1_000_100)).toEqual(['short', 'long', 'open']);
    expect(await keysAt(1_000_000)).toEqual(['short', 'before', 'long', 'open']);
    expect(await keysAt(1_000_500)).toEqual(['long', 'open']);
    expect(await keysAt(49_999)).toEqual([]);
    expect((await store.holds({ key: 'long', at: 1_500_000, limit: 1 }))[0]).toEqual(long);
    const within = await store.holds({ from: 1_500_000, to: 3_000_000, limit: 10 });
    expect(within.map(({ key }) => key)).toEqual(['long', 'open']);
  });

  it('returns open holds of one target', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const open = {
      end: null,
      endReason: null,
      renewals: 3,
      maxDepth: 2,
      evidence: 'inferred',
    } as const;
    await store.writeHolds([
      aHold({ past: open, acquisitions: 9 }),
      aHold({ key: 'ended' }),
      aHold({ target: 'other', past: open }),
    ]);
    expect(await store.openHolds('main')).toEqual([
      {
        db: 0,
        key: 'order_sync:1',
        formatId: 'redisson',
        generation: 1,
        acquisitions: 9,
        token: 'aaaa:1',
        since: 1_000_000,
        sinceEvidence: 'inferred',
        renewals: 3,
        maxDepth: 2,
      },
    ]);
  });

  it('writes thousands of rows in one call', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rows = Array.from({ length: 3000 }, (_, i) =>
      aHold({
        key: `k${i % 700}`,
        past: { generation: i, start: 1_000_000 + i, end: 1_000_001 + i },
      }),
    );
    await store.writeHolds(rows);
    expect(await store.holds({ limit: 5000 })).toEqual(rows.toReversed());
  });
});

onBoth('holds of some', (place) => {
  it('are found by namespace, owner and what was waited', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const waited = { ms: 1234.5, source: 'report', evidence: 'observed' } as const;
    const rows = [
      aHold({ waited }),
      aHold({ key: 'b', class: 'b:*', namespace: 'b', past: { owner: 'Zoë' } }),
      aHold({ key: 'c', past: { owner: null } }),
    ];
    await store.writeHolds(rows);
    expect(await store.holds({ namespace: 'b', limit: 9 })).toEqual([rows[1]]);
    expect(await store.holds({ owner: 'Zoë', limit: 9 })).toEqual([rows[1]]);
    expect(await store.holds({ owner: 'aaaa:1', limit: 9 })).toEqual([rows[0]]);
    expect(await store.holds({ owner: 'aaaa:1', namespace: 'b', limit: 9 })).toEqual([]);
  });
});

onBoth('held time per step', (place) => {
  it('cuts holds exactly at the step borders', async () => {
    const store = (await place.fresh()).open(() => 40_000);
    await store.start();
    const owned = (owner: string, past: Partial<PastHold>) =>
      aHold({ key: owner, past: { owner, ...past } });
    await store.writeHolds([
      owned('a', { start: 8_000, end: 21_500, endReason: 'lease-ended' }),
      owned('a', { generation: 2, start: 21_500, end: 21_500 }),
      owned('b', { start: 30_000, end: null, endReason: null }),
      owned('cold', { start: 10_000, end: 10_001 }),
      owned('outside', { start: 60_000, end: 70_000 }),
    ]);
    const range = { from: 10_000, to: 50_000, stepMs: 10_000 };
    const query = { by: 'owner', target: 'main', ...range } as const;
    const cells = await store.heldPerStep({ ...query, rows: 2 });
    expect(cells.map((c) => [c.label, c.step, c.heldMs, c.acquisitions, c.lost])).toEqual([
      ['a', 10_000, 10_000, 0, 0],
      ['a', 20_000, 1_500, 1, 1],
      ['b', 30_000, 10_000, 1, 0],
      ['b', 40_000, 0, 0, 0],
    ]);
    expect(cells[0]).toMatchObject({ class: 'order_sync:*', namespace: 'order_sync' });
  });

  it('is told of each class that an owner holds locks of, and of no other target', async () => {
    const store = (await place.fresh()).open(() => 40_000);
    await store.start();
    const past = { owner: 'anna', start: 11_000 };
    const other = { class: 'ship:*', namespace: 'ship' };
    await store.writeHolds([
      aHold({ key: 'a', past: { ...past, end: 12_000 } }),
      aHold({ key: 'b', ...other, past: { ...past, end: 14_000 } }),
      aHold({ key: 'a', target: 'elsewhere', past: { ...past, end: 19_000 } }),
    ]);
    const range = { from: 10_000, to: 20_000, stepMs: 10_000 };
    const query = { by: 'owner', target: 'main', ...range, rows: 9 } as const;
    const told = async (of: object): Promise<unknown[]> =>
      (await store.heldPerStep({ ...query, ...of })).map((cell) => [cell.class, cell.heldMs]);
    const both = [
      ['order_sync:*', 1000],
      ['ship:*', 3000],
    ];
    expect((await told({})).toSorted()).toEqual(both);
    expect(await told({ class: 'ship:*' })).toEqual([both[1]]);
    expect(await told({ namespace: 'order_sync' })).toEqual([both[0]]);
  });

  it('equals the exact sum for a day of random holds, by owner', async () => {
    const store = (await place.fresh()).open(() => 10_000_000);
    await store.start();
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const rows = Array.from({ length: 400 }, (_, i) => {
      const start = random(900_000);
      const end = start + (i % 10 === 0 ? random(300_000) : random(4_000));
      const who = `o${random(9)}`;
      return aHold({ key: `k${i % 17}`, past: { generation: i, start, end, owner: who } });
    });
    await store.writeHolds(rows);
    const cells = await store.heldPerStep({
      by: 'owner',
      target: 'main',
      from: 100_000,
      to: 800_000,
      stepMs: 7_000,
      rows: 99,
    });
    for (const cell of cells) {
      const [low, high] = [Math.max(cell.step, 100_000), Math.min(cell.step + 7_000, 800_000)];
      const expected = rows
        .filter(({ past }) => past.owner === cell.label)
        .reduce((sum, { past }) => {
          return sum + Math.max(0, Math.min(past.end ?? 0, high) - Math.max(past.start, low));
        }, 0);
      expect(cell.heldMs).toBe(expected);
    }
    const started = rows.filter(({ past }) => past.start >= 100_000 && past.start < 800_000);
    expect(cells.reduce((sum, cell) => sum + cell.acquisitions, 0)).toBe(started.length);
  });
});
