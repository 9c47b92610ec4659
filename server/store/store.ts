import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import * as alerts from './alerts';
import * as audit from './audit';
import type { Backend } from './backend';
import { createDictionary, type Dictionary } from './dictionary';
import * as gaps from './gaps';
import { Health, sentenceOf, unavailable } from './health';
import { heldPerStep } from './held-per-step';
import * as holds from './holds';
import { migrate } from './migrations';
import * as pins from './pins';
import { createPostgresBackend } from './postgres-backend';
import { retentionStep } from './retention';
import { writeRollups } from './rollups';
import { firstRollupAt, readRollups } from './rollups-read';
import type { Schema } from './schema';
import { createSerial } from './serial';
import { createSqliteBackend } from './sqlite-backend';
import type { Store } from './store-contract';

/** Of the embedded database, in the data folder. */
export const DATABASE_FILE = 'lockscope.db';
const TIDY_EVERY_MS = 5000;
/** Between two steps when there is more to do, so that writes get in between. */
const TIDY_PAUSE_MS = 50;

export interface StoreOptions {
  /** `postgres://…`; null = a file under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** Epoch ms. */
  now: () => number;
}

/**
 * The store on the embedded database or on PostgreSQL. `start` rejects with STORE_UNAVAILABLE and one
 * sentence when the database cannot be used; later failures show in `health` and mend by themselves.
 */
export function createStore({ databaseUrl, dataDir, now }: StoreOptions): Store {
  const backend = databaseUrl
    ? createPostgresBackend(databaseUrl)
    : createSqliteBackend(join(dataDir, DATABASE_FILE));
  const dictionary = createDictionary(backend, now);
  // History goes one write at a time: each first learns numbers, and rollups read before they add.
  const history = createSerial();
  const chain = createSerial();
  const health = new Health({
    kind: backend.kind,
    now,
    breakage: backend.breakage,
    probe: (reopen) => history(() => probe({ backend, dictionary, now }, reopen)),
  });
  const lifecycle = createLifecycle({ backend, dictionary, health, history, now });
  return {
    ...lifecycle,
    get health() {
      return health.current;
    },
    onHealthChange: (listener) => health.onChange(listener),
    ...historyCalls({ backend, dictionary, health, history, now }),
    saveAlerts: (list) => health.write(() => alerts.saveAlerts(backend, list)),
    alerts: (query) => health.read(() => alerts.readAlerts(backend, query)),
    saveDeadlock: (deadlock) => health.write(() => alerts.saveDeadlock(backend, deadlock)),
    deadlocks: ({ limit }) => health.read(() => alerts.readDeadlocks(backend, limit)),
    appendAudit: (draft) => health.write(() => chain(() => audit.appendAudit(backend, draft))),
    audit: (query) => health.read(() => audit.readAudit(backend, query)),
    probe: () => health.write(() => history(() => probe({ backend, dictionary, now }, false))),
    verifyAudit: () => health.read(() => audit.verifyAudit(backend)),
    authDatabase: { db: forAuth(backend.db), type: backend.kind },
  };
}

interface Parts {
  backend: Backend;
  dictionary: Dictionary;
  health: Health;
  history: ReturnType<typeof createSerial>;
  now: () => number;
}

type HistoryCalls = Pick<
  Store,
  | 'writeHolds'
  | 'writeRollups'
  | 'writeGap'
  | 'openHolds'
  | 'lastAliveAt'
  | 'markAlive'
  | 'holds'
  | 'rollups'
  | 'firstRollupAt'
  | 'heldPerStep'
  | 'gaps'
  | 'savePin'
  | 'removePin'
  | 'pins'
>;

function historyCalls({ backend, dictionary, health, history, now }: Parts): HistoryCalls {
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => health.write(() => history(work));
  return {
    writeHolds: (rows) => inTurn(() => holds.writeHolds(backend, dictionary, rows)),
    writeRollups: (rows) => inTurn(() => writeRollups(backend, dictionary, rows)),
    writeGap: (target, gap) =>
      inTurn(async () => gaps.writeGap(backend, await dictionary.target(target), gap)),
    markAlive: (target, at) =>
      inTurn(async () => gaps.writeAlive(backend, await dictionary.target(target), at)),
    lastAliveAt: (target) => health.read(() => gaps.readAlive(backend, target)),
    openHolds: (target) => health.read(() => holds.readOpenHolds(backend, target)),
    holds: (query) => health.read(() => holds.readHolds(backend, query)),
    rollups: (query) => health.read(() => readRollups(backend, query)),
    firstRollupAt: () => health.read(() => firstRollupAt(backend)),
    heldPerStep: (query) => health.read(() => heldPerStep(backend, query, now())),
    gaps: (query) => health.read(() => gaps.readGaps(backend, query)),
    savePin: (target, pin) =>
      inTurn(async () => pins.savePin(backend, await dictionary.target(target), pin)),
    removePin: (target, pattern) =>
      inTurn(async () => pins.removePin(backend, await dictionary.target(target), pattern)),
    pins: (target) => health.read(() => pins.readPins(backend, target)),
  };
}

function createLifecycle({ backend, health, history, now }: Parts): Pick<Store, 'start' | 'stop'> {
  let tidyTimer: NodeJS.Timeout | null = null;
  let running = false;

  async function tidy(): Promise<void> {
    try {
      if (!health.current.ok) return;
      await health.read(() => history(() => backend.check()));
      health.measured(await health.read(() => backend.diskBytes()));
      while (running && (await health.write(() => history(() => retentionStep(backend, now()))))) {
        await new Promise((resolve) => setTimeout(resolve, TIDY_PAUSE_MS).unref());
      }
    } catch (error) {
      // A broken store shows in `health`, and tidying goes on when it is well again.
      if (health.current.ok) process.emitWarning(`history is not tidied: ${sentenceOf(error)}`);
    } finally {
      if (running) tidyTimer = setTimeout(() => void tidy(), TIDY_EVERY_MS).unref();
    }
  }

  return {
    start: async () => {
      if (running) return;
      await open(backend, now());
      running = true;
      health.started();
      void tidy();
    },
    stop: async () => {
      if (!running) return;
      running = false;
      if (tidyTimer) clearTimeout(tidyTimer);
      health.stopped();
      await history(async () => {});
      await backend.close();
    },
  };
}

async function open(backend: Backend, now: number): Promise<void> {
  try {
    await backend.open();
    await migrate(backend, now);
    await backend.openReader();
  } catch (error) {
    // What closing says adds nothing to why opening failed.
    await backend.close().catch(() => {});
    const breakage = backend.breakage(error);
    throw breakage ? unavailable(breakage.problem) : error;
  }
}

async function probe(
  { backend, dictionary, now }: Omit<Parts, 'health' | 'history'>,
  reopen: boolean,
): Promise<void> {
  if (reopen) {
    // Numbers learnt from a file that is gone mean nothing in the one that takes its place.
    dictionary.clear();
    await backend.reopen();
    await migrate(backend, now());
  }
  const value = `${now()}`;
  await sql`insert into meta (name, value) values ('probe', ${value})
    on conflict (name) do update set value = excluded.value`.execute(backend.db);
}

/** better-auth brings its own tables and knows nothing of ours; the connection is the same. */
function forAuth(db: Kysely<Schema>): Kysely<Record<string, never>> {
  return db as unknown as Kysely<Record<string, never>>;
}
