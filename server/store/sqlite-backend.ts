import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Backend, Breakage, Ddl, RowStatement } from './backend';
import { fromBlob } from './blob';
import type { Schema } from './schema';
import { SqliteClient, type SqliteStep } from './sqlite-client';
import { createWorkerDialect } from './sqlite-driver';
import { createTurns } from './turns';

const WRITER_CACHE_KILOBYTES = 64_000;
const READER_CACHE_KILOBYTES = 16_000;
/** Pages of the file, 4 KB each: some ten milliseconds of the writing thread. */
const GIVEN_BACK_AT_ONCE = 1000;

const DDL: Ddl = {
  id: 'integer primary key',
  bytes: 'blob',
  clustered: 'without rowid',
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (verb) =>
        `create trigger ${table}_no_${verb} before ${verb} on ${table}
         begin select raise(abort, '${table} is append-only'); end`,
    ),
};

/** The embedded database: one thread writes, another answers questions. */
export function createSqliteBackend(file: string): Backend {
  const writer = new SqliteClient({
    file,
    readonly: false,
    cacheKilobytes: WRITER_CACHE_KILOBYTES,
  });
  const questions = new SqliteClient({
    file,
    readonly: true,
    cacheKilobytes: READER_CACHE_KILOBYTES,
  });
  const db = new Kysely<Schema>({ dialect: createWorkerDialect(writer) });
  const reader = new Kysely<Schema>({ dialect: createWorkerDialect(questions) });
  return {
    kind: 'sqlite',
    ddl: DDL,
    db,
    reader,
    // Through the connection's queue: a transaction under way ends before the file is opened anew.
    open: () =>
      db.connection().execute(async () => {
        await mkdir(dirname(file), { recursive: true });
        await writer.open({ again: false });
      }),
    openReader: () => reader.connection().execute(() => questions.open({ again: false })),
    reopen: async () => {
      await db.connection().execute(() => writer.open({ again: true }));
      await reader.connection().execute(() => questions.open({ again: true }));
    },
    check: () => db.connection().execute(() => writer.check()),
    close: async () => {
      await questions.close();
      await writer.close();
    },
    jsonNumber: (column, name) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)})`,
    writeRows: async (statements) => {
      await db.connection().execute(() => writer.batch(toSteps(statements)));
    },
    writePieces: (pieces) => db.connection().execute(() => writePieces(writer, pieces)),
    intern: ({ table, columns, unique, rows }) => {
      const onConflict = `on conflict (${unique.join(', ')})
        do update set seen = max(${table}.seen, excluded.seen) returning id`;
      const steps = toSteps([{ verb: 'insert', table, columns, rows, onConflict }]);
      return db.connection().execute(() => writer.batch(steps));
    },
    longTransaction: async (work) => {
      // What is sorted for a new index would have to fit into memory whole.
      await sql`pragma temp_store = file`.execute(db);
      try {
        await db.transaction().execute(work);
      } finally {
        await sql`pragma temp_store = memory`.execute(db);
      }
    },
    // The write lock of `begin immediate` is the duty.
    lockDuty: async () => {},
    breakage: (error) => toBreakage(error, file),
    isUndone: () => false,
    diskBytes: async () => {
      const sizes = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)]);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    usedBytes: async () => {
      const { pages, free, bytes } = await pagesOf(db);
      return (pages - free) * bytes;
    },
    countsLateMs: 0,
    giveBack: async (keepBytes) => {
      const { bytes } = await pagesOf(db);
      const keep = Math.ceil(keepBytes / bytes);
      return await db
        .connection()
        .execute(() => writer.shrink({ pages: GIVEN_BACK_AT_ONCE, keep }));
    },
  };
}

async function pagesOf(db: Kysely<Schema>) {
  const query = sql<{ pages: number; free: number; bytes: number }>`
    select page_count as pages, freelist_count as free, page_size as bytes
    from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`;
  const { rows } = await query.execute(db);
  return rows[0] ?? { pages: 0, free: 0, bytes: 1 };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    // No write-ahead log (or no file, which the next write reports): nothing on disk.
    return 0;
  }
}

type Rows = RowStatement['rows'];

/** The thread writes a piece while the next one is made. */
async function writePieces(
  writer: SqliteClient,
  pieces: Iterable<readonly RowStatement[]>,
): Promise<void> {
  const turns = createTurns();
  try {
    for (const statements of pieces) {
      writer.piece(toSteps(statements));
      if (turns.isDue()) await turns.next();
    }
  } catch (error) {
    await writer.forget();
    throw error;
  }
  await writer.batch([]);
}

/** Rows that several statements take are packed once. */
function toSteps(statements: readonly RowStatement[]): SqliteStep[] {
  const packed = new Map<Rows, ReturnType<typeof pack>>();
  return statements.map((statement) => {
    const { columns, rows, table } = statement;
    const cells = packed.get(rows) ?? pack(rows);
    packed.set(rows, cells);
    if (statement.verb === 'insert') {
      const names = columns.map(([name]) => name).join(', ');
      const values = columns.map(() => '?').join(', ');
      const sql = `insert into ${table} (${names}) values (${values}) ${statement.onConflict}`;
      return { sql, ...cells, picks: columns.map((_, place) => place) };
    }
    // better-sqlite3 binds by order of appearance: a column that is named twice is given twice.
    const picks: number[] = [];
    const where = statement.where((column) => {
      picks.push(columns.findIndex(([name]) => name === column));
      return '?';
    });
    return { sql: `delete from ${table} where ${where}`, ...cells, picks };
  });
}

function pack(rows: Rows): Pick<SqliteStep, 'width' | 'cells' | 'blobs'> {
  if ('cells' in rows) return { ...rows, blobs: [] };
  const width = rows[0]?.length ?? 1;
  return packNumbers(rows, width) ?? packMixed(rows, width);
}

/** Null when there is a value that is neither number nor null. */
function packNumbers(rows: readonly (readonly unknown[])[], width: number) {
  const cells = new Float64Array(rows.length * width);
  let at = 0;
  for (const row of rows) {
    for (const value of row) {
      if (typeof value !== 'number' && value !== null) return null;
      cells[at++] = value ?? Number.NaN;
    }
  }
  return { width, cells, blobs: [] };
}

/** Bytes become text, a character each: a string is copied at once, a view of a buffer is not. */
function packMixed(rows: readonly (readonly unknown[])[], width: number) {
  const blobs = new Set<number>();
  const cells: unknown[] = [];
  for (const row of rows) {
    for (const [place, value] of row.entries()) {
      if (value instanceof Uint8Array) blobs.add(place);
      cells.push(value instanceof Uint8Array ? fromBlob(value) : value);
    }
  }
  return { width, cells, blobs: [...blobs] };
}

const SENTENCES: readonly (readonly [prefix: string, says: (file: string) => string])[] = [
  [
    'SQLITE_FULL',
    (f) => `The disk of ${f} is full; free some space and recording goes on by itself.`,
  ],
  [
    'SQLITE_READONLY',
    (f) => `${f} cannot be written (read-only file or folder); make it writable again.`,
  ],
  [
    'SQLITE_CANTOPEN',
    (f) => `${f} cannot be opened; check that its folder exists and is writable.`,
  ],
  ['SQLITE_IOERR', (f) => `The disk of ${f} reports read or write errors; check the disk.`],
  [
    'SQLITE_NOTADB',
    (f) => `${f} is not a Lockscope database; move it away or set another LOCKSCOPE_DATA_DIR.`,
  ],
  [
    'SQLITE_CORRUPT',
    (f) => `${f} is damaged; move it away (a new one is made) or restore it from a backup.`,
  ],
  ['SQLITE_BUSY', (f) => `${f} is locked by another process; end that process.`],
  ['SQLITE_PERM', (f) => `${f} may not be opened; give this user access to it.`],
  ['SQLITE_AUTH', (f) => `${f} may not be opened; give this user access to it.`],
  [
    'LOCKSCOPE_FILE_GONE',
    (f) =>
      `${f} was removed, replaced or cut short while in use; put it back, or restart the console to begin a new one.`,
  ],
  // What the file system said: EACCES, ENOTDIR, EROFS …
  ['E', (f) => `The folder of ${f} cannot be used; check LOCKSCOPE_DATA_DIR and its rights.`],
  ['LOCKSCOPE_', (f) => `The thread that writes ${f} ended; it is started anew.`],
];

function toBreakage(error: unknown, file: string): Breakage | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code } = error;
  const sentence = SENTENCES.find(
    ([prefix]) => typeof code === 'string' && code.startsWith(prefix),
  );
  if (!sentence) return null;
  const isFull = code === 'SQLITE_FULL';
  return { problem: sentence[1](file), reopen: !isFull, isFull };
}
