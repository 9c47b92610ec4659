import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Schema } from './schema';

export type ColumnType = 'bigint' | 'integer' | 'double precision' | 'text' | 'bytes';

/** The words in which the two databases differ when tables are made. */
export interface Ddl {
  id: string;
  bytes: string;
  /** Ends a `create table` whose rows should lie in the order of the primary key. */
  clustered: string;
  /** Statements that make a table refuse UPDATE and DELETE. */
  appendOnly: (table: string) => string[];
}

export type Column = readonly [name: string, type: ColumnType];

/** Rows of numbers alone, one after another; NaN = null. Whoever hands them over does not use them any more. */
export interface NumberRows {
  /** Values in a row. */
  width: number;
  cells: Float64Array<ArrayBuffer>;
}

/** One statement that runs for many rows, written once for both databases. */
export type RowStatement = {
  table: string;
  /** Of the first values of a row; a row may be longer. */
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[] | NumberRows;
} & (
  | { verb: 'insert'; onConflict: string }
  /** `where` receives how a column of the handed-in row is written. */
  | { verb: 'delete'; where: (row: (column: string) => string) => string }
);

/** Rows that are added unless they are there, each of which has a number. */
export interface Interned {
  table: string;
  /** The first is `digest`. Where the row is there already `seen` is renewed, never to an earlier time. */
  columns: readonly Column[];
  unique: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/** What is wrong with the database, when an error means that it cannot be used. */
export interface Breakage {
  /** One sentence for a person: what, and the remedy. */
  problem: string;
  /** Opening anew could help: the file was replaced, the thread ended. */
  reopen: boolean;
  /** The disk is full: that a few bytes can be written does not mean that rows can. */
  isFull: boolean;
}

/** Many may append pages at a time, while nobody rebuilds them. */
export type Duty = 'audit' | 'migrate' | 'append-pages' | 'rebuild-pages';

/** One of the two databases. Everything that differs between them is behind this. */
export interface Backend {
  readonly kind: 'sqlite' | 'postgres';
  readonly ddl: Ddl;
  /** For writing, and for reading what a write depends on. */
  readonly db: Kysely<Schema>;
  /** For questions: a long one here does not make a write wait. */
  readonly reader: Kysely<Schema>;
  /** Rejects with the database's own error. */
  open: () => Promise<void>;
  /** Called when the tables are there. */
  openReader: () => Promise<void>;
  /** Opens what was open before. Never begins a new database in its place. */
  reopen: () => Promise<void>;
  /** Rejects when the database is gone, which reading alone may not show. */
  check: () => Promise<void>;
  close: () => Promise<void>;
  /** A whole number, or null, by its name of letters alone: of a column of JSON in which nothing else has that name. */
  jsonNumber: (column: string, name: string) => RawBuilder<number | null>;
  /** All statements in one transaction, in as few messages as possible. */
  writeRows: (statements: readonly RowStatement[]) => Promise<void>;
  /** The same, of statements that are made while those before are being worked on, which must not fail. */
  writePieces: (pieces: Iterable<readonly RowStatement[]>) => Promise<void>;
  /** The numbers of the rows, in their order. */
  intern: (rows: Interned) => Promise<number[]>;
  /** A transaction that may go through all rows: however long it takes, and in no more memory for many than for few. */
  longTransaction: (work: (transaction: Transaction<Schema>) => Promise<void>) => Promise<void>;
  /** Inside a transaction: waits until no other process holds the named duty, until the transaction ends. */
  lockDuty: (transaction: Transaction<Schema>, duty: Duty) => Promise<void>;
  /** Null = the error says nothing about the database's health. */
  breakage: (error: unknown) => Breakage | null;
  /** Whether all of the call was taken back for the sake of another one, so that it can be made again. */
  isUndone: (error: unknown) => boolean;
  diskBytes: () => Promise<number | null>;
  /** The same without what is free for new rows; null = not known. */
  usedBytes: () => Promise<number | null>;
  /** How late `usedBytes` hears of rows that were removed. */
  readonly countsLateMs: number;
  /** Gives some of the free space back to the disk, all but `keepBytes` of it. True = there is more. */
  giveBack: (keepBytes: number) => Promise<boolean>;
}
