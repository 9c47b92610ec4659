import { expect, it } from 'vitest';
import type { PastHold } from '@/lib/protocol/lock';
import { MIGRATIONS } from '@/server/store/migrations';
import { createPostgresBackend } from '@/server/store/postgres-backend';
import { createSqliteBackend } from '@/server/store/sqlite-backend';
import type { HoldRow, Store } from '@/server/store/store-contract';
import { aHold } from './samples';
import { onBoth, type Spot } from './store-under-test';

const FIRST = 1_000_000;
const DAY_MS = 86_400_000;

function createRandom(): (below: number) => number {
  let seed = 7;
  return (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
}

/** Each start of a store begins a run of its own. */
async function inRuns(spot: Spot, lives: readonly (readonly HoldRow[])[]): Promise<Store> {
  for (const rows of lives) {
    const store = spot.open();
    await store.start();
    await store.writeHolds(rows);
    await store.stop();
  }
  const store = spot.open();
  await store.start();
  return store;
}

const newestFirst = (a: HoldRow, b: HoldRow): number =>
  b.past.start - a.past.start || b.past.generation - a.past.generation;

const OPEN: Partial<PastHold> = { end: null, endReason: null };

/** Six lives of holds, in the order of their ends: each run reaches back into the one before. */
function someLives(): HoldRow[][] {
  const random = createRandom();
  return Array.from({ length: 6 }, (_, life) =>
    Array.from({ length: 60 }, (__, i): HoldRow => {
      const end = FIRST + (life * 60 + i) * 1000;
      const lastsMs = i % 20 === 7 ? 60_000 + random(100_000) : random(40_000);
      const past = { generation: life * 60 + i, start: end - lastsMs, end };
      return aHold({ key: `k${random(3)}`, past });
    }),
  );
}

onBoth('holds of one lock in many runs', (place) => {
  it('are told newest first, of any range and moment and up to any number', async () => {
    const lives = someLives();
    const open = aHold({ key: 'k1', past: { ...OPEN, generation: 999, start: FIRST + 3 } });
    const store = await inRuns(await place.fresh(), [[open], ...lives]);
    const all = [open, ...lives.flat()].filter(({ key }) => key === 'k1').sort(newestFirst);
    const [from, to, at] = [FIRST + 70_000, FIRST + 200_000, FIRST + 150_500];
    const endOf = ({ past }: HoldRow): number => past.end ?? Infinity;
    for (const limit of [1, 2, 20, 1000]) {
      const told = (query: object) => store.holds({ key: 'k1', limit, ...query });
      expect(await told({})).toEqual(all.slice(0, limit));
      const before = all.filter(({ past }) => past.start < to);
      expect(await told({ to })).toEqual(before.slice(0, limit));
      const within = before.filter((row) => endOf(row) >= from);
      expect(await told({ from, to })).toEqual(within.slice(0, limit));
      const covering = all.filter((row) => row.past.start <= at && endOf(row) > at);
      expect(await told({ at })).toEqual(covering.slice(0, limit));
    }
  });

  it('are replaced in whatever run they are, also when their start was corrected', async () => {
    const open = aHold({ past: { ...OPEN, generation: 1 } });
    const short = aHold({ past: { generation: 2, start: FIRST + 9000, end: FIRST + 9500 } });
    const between = aHold({ past: { generation: 3, start: FIRST + 20_000, end: FIRST + 20_001 } });
    const moved = [
      aHold({ past: { generation: 1, start: FIRST - 50, end: FIRST + 100 } }),
      aHold({ past: { generation: 2, start: FIRST + 8900, end: FIRST + 9500 } }),
    ];
    const store = await inRuns(await place.fresh(), [[open], [short], [between], moved]);
    expect(await store.holds({ limit: 9 })).toEqual([between, moved[1], moved[0]]);
    expect(await store.holds({ key: open.key, limit: 9 })).toEqual([between, moved[1], moved[0]]);
  });

  it('are found among those that were written before there were runs', async () => {
    const spot = await place.fresh();
    const { ddl } = spot.databaseUrl
      ? createPostgresBackend(spot.databaseUrl)
      : createSqliteBackend('unused');
    await spot.behind(
      'create table schema_versions (version integer primary key, applied_at bigint not null)',
      ...MIGRATIONS.slice(0, 4).flatMap((migration, i) => [
        ...migration(ddl),
        `insert into schema_versions (version, applied_at) values (${i + 1}, 0)`,
      ]),
    );
    const bytes = (text: string): string =>
      spot.databaseUrl ? `convert_to('${text}', 'UTF8')` : `cast('${text}' as blob)`;
    const held = (start: number, generation: number, end: number | null): string =>
      `insert into holds (start_at, lock_id, generation, series_id, owner_id, acquisitions, end_at,
        end_reason, evidence, renewals, max_depth, notes, is_long) values (${start}, 1, ${generation},
        1, 1, 1, ${end}, ${end === null ? null : 0}, 0, 0, 1, 0, ${end === null ? 1 : 0})`;
    await spot.behind(
      `insert into targets (digest, seen) values (${bytes('main')}, 0)`,
      `insert into words (digest, seen) values (${bytes('ann')}, 0)`,
      `insert into locks (digest, seen, db, target_id) values (${bytes('a')}, 0, 0, 1)`,
      `insert into series (digest, seen, target_id, class, namespace, format)
        values (${bytes('s')}, 0, 1, ${bytes('a')}, ${bytes('n')}, 'redisson')`,
      held(FIRST, 1, FIRST + 10),
      held(FIRST + 20, 2, null),
    );
    const store = spot.open(() => DAY_MS);
    await store.start();
    const ended = aHold({ key: 'a', past: { generation: 2, start: FIRST + 15, end: FIRST + 30 } });
    const newer = aHold({ key: 'a', past: { generation: 3, start: FIRST + 40, end: FIRST + 41 } });
    const known = await store.holds({ key: 'a', limit: 9 });
    expect(known.map(({ past }) => [past.generation, past.owner, past.end])).toEqual([
      [2, 'ann', null],
      [1, 'ann', FIRST + 10],
    ]);
    await store.writeHolds([ended, newer]);
    const told = async (query: object): Promise<number[]> =>
      (await store.holds({ key: 'a', limit: 9, ...query })).map(({ past }) => past.start);
    expect(await told({})).toEqual([FIRST + 40, FIRST + 15, FIRST]);
    expect(await told({ at: FIRST + 25 })).toEqual([FIRST + 15]);
  });
});
