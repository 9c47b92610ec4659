import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { SqliteClient } from './sqlite-client';

/** kysely over a {@link SqliteClient}. The client is opened and closed by whoever made it. */
export function createWorkerDialect(client: SqliteClient): Dialect {
  return {
    createDriver: () => new WorkerDriver(client),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class WorkerDriver implements Driver {
  readonly #connection: WorkerConnection;

  constructor(client: SqliteClient) {
    this.#connection = new WorkerConnection(client);
  }

  async init(): Promise<void> {}

  /** kysely itself queues callers: `SqliteAdapter` says that there is one connection. */
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    // A transaction that reads before it writes would fail with SQLITE_BUSY when another process wrote
    // in between; taking the write lock at once waits instead.
    const begin = settings.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class WorkerConnection implements DatabaseConnection {
  readonly #client: SqliteClient;

  constructor(client: SqliteClient) {
    this.#client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes, lastInsertRowid } = await this.#client.query(
      query.sql,
      query.parameters,
    );
    return {
      // The row type is what the query builder derived from the query; the database is its witness.
      rows: rows as R[],
      numAffectedRows: changes === undefined ? undefined : BigInt(changes),
      insertId: lastInsertRowid === undefined ? undefined : BigInt(lastInsertRowid),
    };
  }

  // oxlint-disable-next-line require-yield -- kysely asks for a generator; rows come in one message here.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered by the embedded database');
  }
}
