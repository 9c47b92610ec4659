import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import * as alertEvents from './alert-events';
import * as alerts from './alerts';
import * as audit from './audit';
import type { Backend } from './backend';
import { readBlame } from './blame-read';
import * as documents from './documents';
import { createDictionary, type Dictionary } from './dictionary';
import * as gaps from './gaps';
import { Health, sentenceOf, unavailable, type Trial } from './health';
import { readHeat } from './heat-read';
import { heldPerStep } from './held-per-step';
import { createHoldRuns, type HoldRuns } from './hold-runs';
import type { Retention } from './history-contract';
import * as holds from './holds';
import { readKept } from './kept';
import { migrate } from './migrations';
import * as notices from './notices';
import * as pins from './pins';
import { createPostgresBackend } from './postgres-backend';
import { firstRollupAt, readRollups, type Reading } from './rollups-read';
import type { Schema } from './schema';
import { createSerial } from './serial';
import { createSqliteBackend } from './sqlite-backend';
import { createSeriesNames, readClasses, type SeriesNames } from './series-names';
import type { Store } from './store-contract';
import { DEFAULT_RETENTION } from './tiers';
import { createTidying } from './tidying';
import { createUnderstanding } from './understood';
import * as waits from './waits';
import { writeHolds } from './write-holds';
import { writeRollups } from './write-pages';

/** Of the embedded database, in the data folder. */
export const DATABASE_FILE = 'lockscope.db';
const TIDY_EVERY_MS = 5000;
/** What a few thousand rows take on their way to the disk. */
const ROOM_BYTES = 4_000_000;
/** The longest rest between two steps when there is more to do. */
const TIDY_PAUSE_MS = 50;

export interface StoreOptions {
  /** `postgres://…`; null = a file under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** Epoch ms. */
  now: () => number;
  retention?: Retention;
  /** False = another process keeps history tidy. */
  tidies?: boolean;
  /** Hears a sentence for a person when starting is going to take long. */
  tell?: (sentence: string) => void;
}

/**
 * The store on the embedded database or on PostgreSQL. `start` rejects with STORE_UNAVAILABLE and one
 * sentence when the database cannot be used; later failures show in `health` and mend by themselves.
 */
export function createStore(options: StoreOptions): Store {
  const { databaseUrl, dataDir, now, retention = DEFAULT_RETENTION, tidies = true } = options;
  const backend = databaseUrl
    ? createPostgresBackend(databaseUrl)
    : createSqliteBackend(join(dataDir, DATABASE_FILE));
  const dictionary = createDictionary(backend, now);
  const names = createSeriesNames();
  const runs = createHoldRuns(backend);
  // History goes one write at a time: each first learns numbers.
  const history = createSerial();
  const chain = createSerial();
  // An older state must not be written over a newer one.
  const alertWrites = createSerial();
  const health = new Health({
    kind: backend.kind,
    now,
    breakage: backend.breakage,
    isUndone: backend.isUndone,
    probe: (trial) => history(() => probe(parts, trial)),
  });
  const parts: Parts = { backend, dictionary, names, runs, health, history, now, retention };
  const reading = {
    backend,
    understand: createUnderstanding((sentence) => process.emitWarning(sentence)),
  };
  const lifecycle = createLifecycle(parts, { tidies, tell: options.tell });
  return {
    ...lifecycle,
    get health() {
      return health.current;
    },
    onHealthChange: (listener) => health.onChange(listener),
    ...historyCalls(parts),
    saveAlerts: (list, events = []) =>
      health.write(() => alertWrites(() => alerts.saveAlerts(backend, list, events))),
    alerts: (query) => health.read(() => alerts.readAlerts(reading, query)),
    alert: (id) => health.read(() => alerts.readAlert(reading, id)),
    saveAlertEvents: (events) => health.write(() => alertEvents.saveAlertEvents(backend, events)),
    alertEvents: (query) => health.read(() => alertEvents.readAlertEvents(reading, query)),
    saveDocument: (document, expected) =>
      health.write(() => documents.saveDocument(backend, document, { expected, now: now() })),
    removeDocument: (kind, id, expected) =>
      health.write(() => documents.removeDocument(backend, { kind, id }, expected)),
    documentStates: (kinds) => health.read(() => documents.readStates(backend, kinds)),
    documents: (kind) => health.read(() => documents.readDocuments(backend, kind)),
    addNotices: (rows) => health.write(() => notices.addNotices(backend, rows)),
    saveNotices: (rows) => health.write(() => notices.saveNotices(backend, rows)),
    removeNotices: (ids) => health.write(() => notices.removeNotices(backend, ids)),
    dueNotices: (limit) => health.read(() => notices.dueNotices(backend, limit)),
    newestNotices: (limit) => health.read(() => notices.newestNotices(backend, limit)),
    noticesOfAlerts: (list) => health.read(() => notices.noticesOfAlerts(backend, list)),
    saveDeadlock: (deadlock) => health.write(() => alerts.saveDeadlock(backend, deadlock)),
    deadlocks: (query) => health.read(() => alerts.readDeadlocks(reading, query)),
    appendAudit: (draft) => health.write(() => chain(() => audit.appendAudit(backend, draft))),
    audit: (query) => health.read(() => audit.readAudit(backend, query)),
    probe: () =>
      health.write(() => history(() => probe(parts, { reopen: false, needsRoom: false }))),
    verifyAudit: () => health.read(() => audit.verifyAudit(backend)),
    authDatabase: { db: forAuth(backend.db), type: backend.kind },
  };
}

interface Parts {
  backend: Backend;
  dictionary: Dictionary;
  names: SeriesNames;
  runs: HoldRuns;
  health: Health;
  history: ReturnType<typeof createSerial>;
  now: () => number;
  retention: Retention;
}

type HistoryCalls = Pick<
  Store,
  | 'writeHolds'
  | 'writeRollups'
  | 'writeLeftWaits'
  | 'writeGap'
  | 'openHolds'
  | 'lastAliveAt'
  | 'markAlive'
  | 'holds'
  | 'rollups'
  | 'heat'
  | 'blame'
  | 'waits'
  | 'firstRollupAt'
  | 'kept'
  | 'heldPerStep'
  | 'gaps'
  | 'savePin'
  | 'removePin'
  | 'pins'
  | 'classes'
>;

function historyCalls(parts: Parts): HistoryCalls {
  const { backend, dictionary, names, runs, health, history, now, retention } = parts;
  const { tiers } = retention;
  const reading: Reading = { backend, names, tiers };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => health.write(() => history(work));
  return {
    writeHolds: (rows) => inTurn(() => writeHolds({ backend, dictionary, runs }, rows)),
    writeRollups: (rows) => inTurn(() => writeRollups({ backend, dictionary, tiers, now }, rows)),
    writeLeftWaits: (rows) => inTurn(() => waits.writeLeftWaits(backend, dictionary, rows)),
    writeGap: (target, gap) =>
      inTurn(async () => gaps.writeGap(backend, await dictionary.target(target), gap)),
    markAlive: (target, at) =>
      inTurn(async () => gaps.writeAlive(backend, await dictionary.target(target), at)),
    lastAliveAt: (target) => health.read(() => gaps.readAlive(backend, target)),
    openHolds: (target) => health.read(() => holds.readOpenHolds(backend, target)),
    holds: (query) => health.read(() => holds.readHolds(backend, query)),
    rollups: (query) => health.read(() => readRollups(reading, query)),
    heat: (query) => health.read(() => readHeat(reading, query)),
    blame: (query) => health.read(() => readBlame(reading, query)),
    waits: (query) => health.read(() => waits.readWaits(backend, query)),
    firstRollupAt: (target) => health.read(() => firstRollupAt(reading, target)),
    kept: () => health.read(() => readKept(backend, retention)),
    heldPerStep: (query) => health.read(() => heldPerStep(backend, query, now())),
    gaps: (query) => health.read(() => gaps.readGaps(backend, query)),
    savePin: (target, pin) =>
      inTurn(async () => pins.savePin(backend, await dictionary.target(target), pin)),
    removePin: (target, pattern) =>
      inTurn(async () => pins.removePin(backend, await dictionary.target(target), pattern)),
    pins: (target) => health.read(() => pins.readPins(backend, target)),
    classes: (target) => health.read(() => readClasses(backend.reader, target)),
  };
}

function createLifecycle(
  parts: Parts,
  { tidies, tell }: { tidies: boolean; tell: StoreOptions['tell'] },
): Pick<Store, 'start' | 'stop'> {
  const { backend, health, history, now } = parts;
  const tidyStep = createTidying(parts);
  let tidyTimer: NodeJS.Timeout | null = null;
  let running = false;

  async function tidy(): Promise<void> {
    try {
      if (!health.current.ok) return;
      await health.read(() => history(() => backend.check()));
      health.measured(await health.read(() => backend.diskBytes()));
      for (;;) {
        const startedAt = performance.now();
        if (!running || !(await health.write(tidyStep))) break;
        // A rest as long as the step took: what has piled up goes in minutes, and leaves half of the time to others.
        const restMs = Math.min(TIDY_PAUSE_MS, performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, restMs).unref());
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
      await open(backend, now(), tell);
      running = true;
      health.started();
      if (tidies) void tidy();
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

async function open(backend: Backend, now: number, tell: StoreOptions['tell']): Promise<void> {
  try {
    await backend.open();
    await migrate(backend, now, tell);
    await backend.openReader();
  } catch (error) {
    // What closing says adds nothing to why opening failed.
    await backend.close().catch(() => {});
    const breakage = backend.breakage(error);
    throw breakage ? unavailable(breakage.problem) : error;
  }
}

async function probe(
  { backend, dictionary, names, runs, now }: Parts,
  { reopen, needsRoom }: Trial,
): Promise<void> {
  if (reopen) {
    // Numbers learnt from a file that is gone mean nothing in the one that takes its place.
    dictionary.clear();
    names.clear();
    runs.clear();
    await backend.reopen();
    await migrate(backend, now());
  }
  const write = (value: string) =>
    sql`insert into meta (name, value) values ('probe', ${value})
      on conflict (name) do update set value = excluded.value`.execute(backend.db);
  // By chance, as PostgreSQL would press together what is all the same.
  if (needsRoom) await write(randomBytes(ROOM_BYTES / 2).toString('hex'));
  await write(`${now()}`);
}

/** better-auth brings its own tables and knows nothing of ours; the connection is the same. */
function forAuth(db: Kysely<Schema>): Kysely<Record<string, never>> {
  return db as unknown as Kysely<Record<string, never>>;
}
