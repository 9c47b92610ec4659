import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Backend, RowStatement } from '@/server/store/backend';
import { createPostgresBackend } from '@/server/store/postgres-backend';
import { createSqliteBackend } from '@/server/store/sqlite-backend';
import { onBoth, type Spot } from './store-under-test';

async function opened({ databaseUrl, dataDir }: Spot): Promise<Backend> {
  const backend = databaseUrl
    ? createPostgresBackend(databaseUrl)
    : createSqliteBackend(join(dataDir, 'pieces.db'));
  await backend.open();
  await sql`create table figures (a bigint primary key, b double precision not null)`.execute(
    backend.db,
  );
  await backend.openReader();
  return backend;
}

const added = (...cells: number[]): RowStatement => ({
  verb: 'insert',
  table: 'figures',
  columns: [
    ['a', 'bigint'],
    ['b', 'double precision'],
  ],
  rows: { width: 2, cells: Float64Array.from(cells) },
  onConflict: 'on conflict (a) do nothing',
});

async function rowsIn(backend: Backend): Promise<unknown[]> {
  const { rows } = await sql`select a, b from figures order by a`.execute(backend.db);
  return rows.map((row) => Object.values(Object(row)));
}

onBoth('statements that come in pieces', (place) => {
  it('are written, with numbers alone and rows of them in one list', async () => {
    const backend = await opened(await place.fresh());
    await backend.writePieces([[added(1, 0.5), added(2, 7, 3, 8)], [], [added(1, 9, 4, -1)]]);
    expect(await rowsIn(backend)).toEqual([
      [1, 0.5],
      [2, 7],
      [3, 8],
      [4, -1],
    ]);
    await backend.close();
  });

  it('are all taken back when one of them fails, and the next ones are written', async () => {
    const backend = await opened(await place.fresh());
    const broken = backend.writePieces([
      [added(1, 1)],
      [added(2, 2), added(3, Number.NaN)],
      [added(4, 4)],
    ]);
    await expect(broken).rejects.toThrow(/null/i);
    expect(await rowsIn(backend)).toEqual([]);
    await backend.writePieces([[added(5, 5)]]);
    expect(await rowsIn(backend)).toEqual([[5, 5]]);
    await backend.close();
  });

  it('are taken back when the next one cannot be made', async () => {
    const backend = await opened(await place.fresh());
    function* pieces(): Generator<RowStatement[]> {
      yield [added(1, 1)];
      throw new Error('no more');
    }
    await expect(backend.writePieces(pieces())).rejects.toThrow('no more');
    expect(await rowsIn(backend)).toEqual([]);
    await backend.writePieces([[added(5, 5)]]);
    expect(await rowsIn(backend)).toEqual([[5, 5]]);
    await backend.close();
  });
});
