import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe } from 'vitest';
import type { Retention } from '@/server/store/history-contract';
import { createStore } from '@/server/store/store';
import type { Store } from '@/server/store/store-contract';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { startPostgres, withClient, type TestPostgres } from '@/test/support/postgres';

/** One of the two databases, as the contract tests use it. */
export interface Place {
  kind: 'sqlite' | 'postgres';
  /** An empty database, and as many stores on it as wanted. */
  fresh: () => Promise<Spot>;
}

export interface Spot {
  open: (now?: () => number, retention?: Retention) => Store;
  dataDir: string;
  databaseUrl: string | null;
  /** Statements behind the store's back. */
  behind: (...statements: string[]) => Promise<void>;
}

/** The samples are of 1970; at today's date they would be tidied away. */
const soonAfter = (): number => 2_000_000;

const temporary: string[] = [];
const opened: Store[] = [];

export async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-store-'));
  temporary.push(dir);
  return dir;
}

export async function cleanUp(): Promise<void> {
  await Promise.all(opened.splice(0).map((store) => store.stop()));
  await Promise.all(temporary.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
}

export function openStore(options: {
  dataDir: string;
  databaseUrl: string | null;
  now?: () => number;
  retention?: Retention;
}): Store {
  const store = createStore({ now: soonAfter, ...options });
  opened.push(store);
  return store;
}

export const SQLITE: Place = {
  kind: 'sqlite',
  fresh: async () => {
    const dataDir = await newDir();
    return {
      dataDir,
      databaseUrl: null,
      open: (now = soonAfter, retention = DEFAULT_RETENTION) =>
        openStore({ dataDir, databaseUrl: null, now, retention }),
      behind: async (...statements) => {
        const db = new Database(join(dataDir, 'lockscope.db'));
        for (const statement of statements) db.exec(statement);
        db.close();
      },
    };
  },
};

const postgres = await startPostgres();
export const server: TestPostgres | null = 'unavailable' in postgres ? null : postgres;
const reason = 'unavailable' in postgres ? postgres.unavailable : null;
if (reason !== null && process.env.CI === 'true') {
  throw new Error(`the store must be tested on PostgreSQL here: ${reason}`);
}

const POSTGRES: Place = {
  kind: 'postgres',
  fresh: async () => {
    if (!server) throw new Error('PostgreSQL is not running');
    const databaseUrl = await server.newDatabase();
    return {
      dataDir: '',
      databaseUrl,
      open: (now = soonAfter, retention = DEFAULT_RETENTION) =>
        openStore({ dataDir: '', databaseUrl, now, retention }),
      behind: (...statements) =>
        withClient(databaseUrl, async (client) => {
          for (const statement of statements) await client.query(statement);
        }),
    };
  },
};

/** The same tests on both databases; without a PostgreSQL server they are skipped by name. */
export function onBoth(name: string, tests: (place: Place) => void): void {
  describe(`${name} on SQLite`, () => tests(SQLITE));
  onPostgres(name, tests);
}

/** What only PostgreSQL does. */
export function onPostgres(name: string, tests: (place: Place) => void): void {
  const title = reason === null ? `${name} on PostgreSQL` : `${name} on PostgreSQL (${reason})`;
  describe.skipIf(reason !== null)(title, () => tests(POSTGRES));
}

afterAll(async () => {
  await cleanUp();
  await server?.stop();
});
