// @ts-check
/**
 * The thread that owns one connection to the embedded database, so that a checkpoint or a long read never
 * stops the server's event loop. Plain JavaScript without alias imports: a worker is loaded by Node itself
 * and must start the same way from source and beside the bundle, on every supported Node.
 *
 * Request  `{id, kind: 'open', again: boolean}` · `{id, kind: 'check'}` · `{id, kind: 'query', sql, parameters}` · `{id, kind: 'batch', steps: [Step]}`
 *          · `{id, kind: 'shrink', pages: number, keep: number}` · `{id, kind: 'close'}` · `{id, kind: 'forget'}`
 *          · `{id: null, kind: 'piece', steps: [Step]}`, which is not answered: the next `batch` is of the same transaction
 * Answer   `{id, result}` or `{id, error: {code, message}}`
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** @type {{file: string, readonly: boolean, cacheKilobytes: number}} */
const { file, readonly, cacheKilobytes } = workerData;

const CACHED_STATEMENTS = 300;
const BUSY_TIMEOUT_MS = 5000;
/** https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER = 'SQLite format 3\0';
// Reading a whole small file for damage takes about 100 ms; a large one would delay the start by seconds.
const QUICK_CHECK_BELOW_BYTES = 64 * 1024 * 1024;
/** What the write-ahead log keeps of the disk between two checkpoints. */
const WAL_BYTES = 16 * 1024 * 1024;
/** https://www.sqlite.org/pragma.html#pragma_auto_vacuum */
const INCREMENTAL = 2;
/** Smaller blobs are copied: handing one over costs more than a kilobyte of copying. */
const HANDED_OVER_BYTES = 4096;

/** @type {import('better-sqlite3').Database | null} */
let db = null;
/** @type {Map<string, import('better-sqlite3').Statement>} */
const statements = new Map();
/** What is known of the file in use; `size`: what it has at least. @type {{inode: number, size: number, tables: string[]}} */
let inUse = { inode: 0, size: 0, tables: [] };

/** @param {string} code @param {string} message */
function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

/**
 * Opens the file, or opens it `again`: what was open stays in use until then, since it can often still be read.
 * Nothing new is begun under a console that runs: who may sign in would be gone with the rest.
 * @param {{again: boolean}} request
 */
function open({ again }) {
  if (again && !existsSync(file)) throw fileGone();
  const opened = new Database(file, {
    readonly,
    fileMustExist: readonly || again,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    if (again) assertSameTables(opened);
    if (!readonly) {
      // Before anything else is written: later only a rewrite of the whole file would change it.
      opened.pragma('auto_vacuum = INCREMENTAL');
      opened.pragma('journal_mode = WAL');
      opened.pragma(`journal_size_limit = ${WAL_BYTES}`);
      opened.pragma('synchronous = FULL');
      opened.pragma('foreign_keys = ON');
      if (statSync(file).size < QUICK_CHECK_BELOW_BYTES) {
        const verdict = opened.pragma('quick_check(1)', { simple: true });
        if (verdict !== 'ok') throw failure('SQLITE_CORRUPT', String(verdict));
        letShrink(opened);
      }
    }
    opened.pragma(`cache_size = -${cacheKilobytes}`);
    opened.pragma('temp_store = MEMORY');
    const { ino: inode, size } = statSync(file);
    close();
    inUse = { inode, size, tables: tablesOf(opened) };
  } catch (error) {
    opened.close();
    throw error;
  }
  db = opened;
}

/**
 * Rewrites a file of an earlier version, so that it can give space back from now on. A larger one stays as it is: what
 * is removed from it makes room for what comes, and it grows no more.
 * @param {import('better-sqlite3').Database} opened
 */
function letShrink(opened) {
  if (opened.pragma('auto_vacuum', { simple: true }) === INCREMENTAL) return;
  try {
    opened.pragma('auto_vacuum = INCREMENTAL');
    opened.exec('vacuum');
  } catch (error) {
    const { code } = /** @type {{code?: string}} */ (error);
    // Somebody reads it, or the disk has no room for a copy: the next start tries again.
    if (code !== 'SQLITE_BUSY' && code !== 'SQLITE_FULL') throw error;
  }
}

/** @param {import('better-sqlite3').Database} database @returns {string[]} */
function tablesOf(database) {
  const names = database.prepare("select name from sqlite_master where type = 'table'").pluck();
  return names.all().map(String);
}

/** @param {import('better-sqlite3').Database} opened */
function assertSameTables(opened) {
  const tables = new Set(tablesOf(opened));
  if (!inUse.tables.every((name) => tables.has(name))) throw fileGone();
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

function fileGone() {
  return failure('LOCKSCOPE_FILE_GONE', 'the database file was removed, replaced or cut short');
}

/**
 * SQLite goes on writing into a file that was deleted; what is written there must not be acknowledged. Nothing
 * but {@link shrink} makes the file smaller, when its pages reach it from the write-ahead log.
 */
function assertFileStillThere() {
  const now = statSync(file, { throwIfNoEntry: false });
  if (!now || now.ino !== inUse.inode || now.size < inUse.size) throw fileGone();
  inUse.size = Math.min(now.size, sizeInPages());
}

/** @param {string} name */
function number(name) {
  return Number(connection().pragma(name, { simple: true }));
}

/** What the file has when everything has reached it. */
function sizeInPages() {
  return number('page_count') * number('page_size');
}

/**
 * Gives free pages back to the disk, `pages` at most and down to `keep` of them. True = there are more.
 * @param {{pages: number, keep: number}} request
 */
function shrink({ pages, keep }) {
  if (number('auto_vacuum') !== INCREMENTAL) return false;
  const surplus = number('freelist_count') - keep;
  if (surplus <= 0) return false;
  assertFileStillThere();
  connection().exec(`pragma incremental_vacuum(${Math.min(pages, surplus)})`);
  // Until then the file is as long as it was; where somebody reads, a later checkpoint does it.
  connection().pragma('wal_checkpoint(PASSIVE)');
  inUse.size = Math.min(statSync(file).size, sizeInPages());
  return surplus > pages;
}

/** Finds out whether the file is still there although nothing is written. */
function check() {
  assertFileStillThere();
  // Pages are read from memory where they are: damage on disk would show only at the next start.
  const header = Buffer.alloc(HEADER.length);
  const handle = openSync(file, 'r');
  readSync(handle, header, 0, header.length, 0);
  closeSync(handle);
  if (header.toString('latin1') !== HEADER) throw failure('SQLITE_NOTADB', 'no database any more');
  inUse.tables = tablesOf(connection());
}

/** @param {{sql: string, parameters: unknown[]}} request */
function query({ sql, parameters }) {
  // A failed commit has ended its transaction already; that must not hide why it failed.
  if (sql === 'rollback' && !connection().inTransaction) return { rows: [] };
  const statement = prepare(sql);
  if (!readonly && !statement.readonly && !connection().inTransaction) assertFileStillThere();
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

/**
 * Calls `run` with the values of each row that the statement takes, in the same list each time.
 * @param {Step} step @param {(row: unknown[]) => void} run
 */
function forEachRow({ width, cells, blobs, picks }, run) {
  const isBlob = new Set(blobs);
  const isPacked = cells instanceof Float64Array;
  /** @type {unknown[]} */
  const row = picks.map(() => null);
  for (let at = 0; at < cells.length; at += width) {
    for (let i = 0; i < picks.length; i++) {
      const place = picks[i] ?? 0;
      const value = cells[at + place];
      if (isPacked) row[i] = Number.isNaN(value) ? null : value;
      else
        row[i] =
          typeof value === 'string' && isBlob.has(place) ? Buffer.from(value, 'latin1') : value;
    }
    run(row);
  }
}

/** Why a piece failed. @type {{error: unknown} | null} */
let failedPiece = null;

function beginUnlessBegun() {
  if (connection().inTransaction) return;
  assertFileStillThere();
  prepare('begin immediate').run();
}

function takeBack() {
  // SQLITE_FULL and SQLITE_IOERR may already have rolled the transaction back.
  if (db?.inTransaction) prepare('rollback').run();
}

/** The ids that statements `returning id` gave. @param {Step[]} steps */
function run(steps) {
  /** @type {number[]} */
  const ids = [];
  for (const step of steps) {
    const statement = prepare(step.sql);
    forEachRow(step, (row) => {
      if (statement.reader) ids.push(/** @type {{id: number}} */ (statement.get(row)).id);
      else statement.run(row);
    });
  }
  return ids;
}

/** Steps of a transaction that the next {@link batch} ends. @param {{steps: Step[]}} request */
function piece({ steps }) {
  if (failedPiece) return;
  try {
    beginUnlessBegun();
    run(steps);
  } catch (error) {
    failedPiece = { error };
    takeBack();
  }
}

/** Takes pieces back that no batch will end. */
function forget() {
  failedPiece = null;
  takeBack();
}

/** All steps, those of the pieces before among them, in one transaction. @param {{steps: Step[]}} request */
function batch({ steps }) {
  const failed = failedPiece;
  failedPiece = null;
  if (failed) throw failed.error;
  /** @type {number[]} */
  let ids = [];
  try {
    beginUnlessBegun();
    ids = run(steps);
    prepare('commit').run();
  } catch (error) {
    takeBack();
    throw error;
  }
  assertFileStillThere();
  return ids;
}

/**
 * What is handed over instead of copied. A blob that was read has its memory for itself.
 * @param {unknown} result
 */
function largeBlobs(result) {
  /** @type {ArrayBuffer[]} */
  const buffers = [];
  const rows = /** @type {{rows?: Record<string, unknown>[]} | undefined} */ (result)?.rows ?? [];
  for (const name of Object.keys(rows[0] ?? {})) {
    if (!(rows[0]?.[name] instanceof Uint8Array)) continue;
    for (const row of rows) {
      const blob = row[name];
      if (!(blob instanceof Uint8Array) || blob.byteLength < HANDED_OVER_BYTES) continue;
      const { buffer } = blob;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === blob.byteLength)
        buffers.push(buffer);
    }
  }
  return buffers;
}

/** @type {Record<string, (request: any) => unknown>} */
const HANDLERS = { open, check, query, piece, batch, forget, shrink, close };

parentPort?.on('message', (request) => {
  try {
    const result = HANDLERS[request.kind]?.(request);
    if (request.id === null) return;
    parentPort?.postMessage({ id: request.id, result }, largeBlobs(result));
  } catch (error) {
    const { code, message } = /** @type {{code?: string, message: string}} */ (error);
    parentPort?.postMessage({ id: request.id, error: { code: code ?? 'UNKNOWN', message } });
  }
});
