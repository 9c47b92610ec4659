// @ts-check
/**
 * The thread that owns one connection to the embedded database, so that a checkpoint or a long read never
 * stops the server's event loop. Plain JavaScript without alias imports: a worker is loaded by Node itself
 * and must start the same way from source and beside the bundle, on every supported Node.
 *
 * Request  `{id, kind: 'open'}` · `{id, kind: 'query', sql, parameters}` · `{id, kind: 'batch', steps: [Step]}`
 *          · `{id, kind: 'close'}`
 * Answer   `{id, result}` or `{id, error: {code, message}}`
 */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** @type {{file: string, readonly: boolean, cacheKilobytes: number}} */
const { file, readonly, cacheKilobytes } = workerData;

const CACHED_STATEMENTS = 300;
const BUSY_TIMEOUT_MS = 5000;
// Reading a whole small file for damage takes about 100 ms; a large one would delay the start by seconds.
const QUICK_CHECK_BELOW_BYTES = 64 * 1024 * 1024;

/** @type {import('better-sqlite3').Database | null} */
let db = null;
/** @type {Map<string, import('better-sqlite3').Statement>} */
const statements = new Map();
let inode = 0;

/** @param {string} code @param {string} message */
function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

function open() {
  close();
  const opened = new Database(file, {
    readonly,
    fileMustExist: readonly,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    if (!readonly) {
      opened.pragma('journal_mode = WAL');
      opened.pragma('synchronous = FULL');
      opened.pragma('foreign_keys = ON');
      if (statSync(file).size < QUICK_CHECK_BELOW_BYTES) {
        const verdict = opened.pragma('quick_check(1)', { simple: true });
        if (verdict !== 'ok') throw failure('SQLITE_CORRUPT', String(verdict));
      }
    }
    opened.pragma(`cache_size = -${cacheKilobytes}`);
    opened.pragma('temp_store = MEMORY');
    inode = statSync(file).ino;
  } catch (error) {
    opened.close();
    throw error;
  }
  db = opened;
}

function close() {
  statements.clear();
  db?.close();
  db = null;
}

function connection() {
  if (!db) throw failure('LOCKSCOPE_CLOSED', 'the database is not open');
  return db;
}

/** @param {string} sql */
function prepare(sql) {
  let statement = statements.get(sql);
  if (!statement) {
    statement = connection().prepare(sql);
    if (statements.size >= CACHED_STATEMENTS) {
      const oldest = statements.keys().next().value;
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, statement);
  }
  return statement;
}

/** SQLite goes on writing into a file that was deleted; what is written there must not be acknowledged. */
function assertFileStillThere() {
  const now = statSync(file, { throwIfNoEntry: false });
  if (!now || now.ino !== inode) {
    throw failure('LOCKSCOPE_FILE_GONE', 'the database file was removed or replaced');
  }
}

/** @param {{sql: string, parameters: unknown[]}} request */
function query({ sql, parameters }) {
  const statement = prepare(sql);
  if (statement.reader) {
    const rows = statement.all(...parameters);
    if (!readonly && !statement.readonly) assertFileStillThere();
    return { rows };
  }
  const { changes, lastInsertRowid } = statement.run(...parameters);
  if (!readonly && !connection().inTransaction) assertFileStillThere();
  return { rows: [], changes, lastInsertRowid };
}

/**
 * @typedef {{sql: string, width: number, cells: Float64Array | unknown[], blobs: number[], picks: number[]}} Step
 */

/** Calls `run` with the values of each row that the statement takes. @param {Step} step @param {(row: unknown[]) => void} run */
function forEachRow({ width, cells, blobs, picks }, run) {
  const isBlob = new Set(blobs);
  const isPacked = cells instanceof Float64Array;
  for (let at = 0; at < cells.length; at += width) {
    run(
      picks.map((place) => {
        const value = cells[at + place];
        if (isPacked) return Number.isNaN(value) ? null : value;
        return typeof value === 'string' && isBlob.has(place)
          ? Buffer.from(value, 'latin1')
          : value;
      }),
    );
  }
}

/** All steps in one transaction; the ids that statements `returning id` gave. @param {{steps: Step[]}} request */
function batch({ steps }) {
  /** @type {number[]} */
  const ids = [];
  prepare('begin immediate').run();
  try {
    for (const step of steps) {
      const statement = prepare(step.sql);
      forEachRow(step, (row) => {
        if (statement.reader) ids.push(/** @type {{id: number}} */ (statement.get(row)).id);
        else statement.run(row);
      });
    }
    prepare('commit').run();
  } catch (error) {
    // SQLITE_FULL and SQLITE_IOERR may already have rolled the transaction back.
    if (connection().inTransaction) prepare('rollback').run();
    throw error;
  }
  assertFileStillThere();
  return ids;
}

/** @type {Record<string, (request: any) => unknown>} */
const HANDLERS = { open, query, batch, close };

parentPort?.on('message', (request) => {
  try {
    parentPort?.postMessage({ id: request.id, result: HANDLERS[request.kind]?.(request) });
  } catch (error) {
    const { code, message } = /** @type {{code?: string, message: string}} */ (error);
    parentPort?.postMessage({ id: request.id, error: { code: code ?? 'UNKNOWN', message } });
  }
});
