import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { MIGRATIONS } from '@/server/store/migrations';
import { createPostgresBackend } from '@/server/store/postgres-backend';
import { createSqliteBackend } from '@/server/store/sqlite-backend';
import { createStore, DATABASE_FILE } from '@/server/store/store';
import { bundledProcess } from './bundled-process';
import { onBoth, type Place, type Spot } from './store-under-test';

const NOW = 2_000_000_000;
const LOCKS = 50;
/** Before holds were found run by run. */
const EARLIER = 5;

const backendOf = ({ dataDir, databaseUrl }: Spot) =>
  databaseUrl
    ? createPostgresBackend(databaseUrl)
    : createSqliteBackend(join(dataDir, DATABASE_FILE));

/** A database as that version left it, with so many holds of a millisecond, one after another. */
async function ofEarlierVersion(place: Place, holds: number): Promise<Spot> {
  const spot = await place.fresh();
  const { ddl } = backendOf(spot);
  const bytes = (text: string): string =>
    place.kind === 'sqlite'
      ? `x'${Buffer.from(text).toString('hex')}'`
      : `'\\x${Buffer.from(text).toString('hex')}'`;
  const numbers = `with recursive counted (n) as
    (select 0 union all select n + 1 from counted where n < ${holds} - 1)`;
  await spot.behind(
    'create table schema_versions (version integer primary key, applied_at bigint not null)',
    ...MIGRATIONS.slice(0, EARLIER).flatMap((migration) => migration(ddl)),
    ...Array.from(
      { length: EARLIER },
      (_, i) => `insert into schema_versions (version, applied_at) values (${i + 1}, 0)`,
    ),
    `insert into targets (id, digest, seen) values (1, ${bytes('main')}, 0)`,
    `insert into series (id, digest, seen, target_id, class, namespace, format)
      values (1, ${bytes('s')}, ${NOW}, 1, ${bytes('c:*')}, ${bytes('c')}, 'plain')`,
    ...Array.from(
      { length: LOCKS },
      (_, i) => `insert into locks (id, digest, seen, db, target_id)
        values (${i + 1}, ${bytes(`c:${i}`)}, ${NOW}, 0, 1)`,
    ),
    `${numbers} insert into holds (start_at, lock_id, generation, series_id, acquisitions, end_at,
        end_reason, evidence, renewals, max_depth, notes, is_long)
      select ${NOW - holds} + n, 1 + n % ${LOCKS}, n, 1, 1, ${NOW - holds} + n + 1, 0, 0, 0, 1, 0, 0
      from counted`,
  );
  return spot;
}

onBoth('a database of an earlier version', (place) => {
  let program: string;

  beforeAll(async () => {
    program = await bundledProcess('begins-process', place.kind);
  });

  it('says that starting takes long, is as it was after a kill meanwhile, and has all holds then', async () => {
    const holds = 100_000;
    const spot = await ofEarlierVersion(place, holds);
    for (const killed of [1, 2]) {
      const said = await killedWhileMigrating([program, spot.dataDir, spot.databaseUrl ?? '']);
      expect(said, `life ${killed}`).toContain(`from version ${EARLIER} to ${MIGRATIONS.length}`);
    }
    const told: string[] = [];
    const again = createStore({
      ...{ dataDir: spot.dataDir, databaseUrl: spot.databaseUrl, now: () => NOW, tidies: false },
      tell: (sentence) => told.push(sentence),
    });
    await again.start();
    expect(told).toHaveLength(1);
    for (const [lock, at] of [
      [0, NOW - holds],
      [7, NOW - holds / 2 + 7],
      [LOCKS - 1, NOW - 1],
    ] as const) {
      const found = await again.holds({ key: `c:${lock}`, at, limit: 5 });
      expect(found.map(({ past }) => past.start)).toEqual([at]);
    }
    const all = await again.holds({ key: 'c:3', limit: holds });
    expect(all).toHaveLength(holds / LOCKS);
    await again.stop();
    const third = createStore({
      ...{ dataDir: spot.dataDir, databaseUrl: spot.databaseUrl, now: () => NOW, tidies: false },
      tell: (sentence) => told.push(sentence),
    });
    await third.start();
    await third.stop();
    expect(told).toHaveLength(1);
  }, 120_000);

  it('is brought to this version without a limit of time, and sorts on disk', async () => {
    const spot = await place.fresh();
    const backend = backendOf(spot);
    await backend.open();
    const limit = async (db: typeof backend.db): Promise<unknown> => {
      const text = place.kind === 'sqlite' ? 'pragma temp_store' : 'show statement_timeout';
      const { rows } = await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    const [file, memory] = [1, 2];
    await backend.longTransaction(async (transaction) => {
      expect(await limit(transaction)).toBe(place.kind === 'sqlite' ? file : '0');
    });
    expect(await limit(backend.db)).toBe(place.kind === 'sqlite' ? memory : '1min');
    const failing = backend.longTransaction(() => Promise.reject(new Error('ended')));
    await expect(failing).rejects.toThrow('ended');
    expect(await limit(backend.db)).toBe(place.kind === 'sqlite' ? memory : '1min');
    await backend.close();
  });
});

/** What it said before it was killed, which is soon after it began with the tables. */
async function killedWhileMigrating(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('ready')) child.kill('SIGKILL');
  });
  await exited;
  return text;
}
