import { Worker } from 'node:worker_threads';

/** What SQLite or the worker said: `code` is SQLite's extended code or one of `LOCKSCOPE_…`. */
class SqliteFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SqliteFailure';
    this.code = code;
  }
}

export interface SqliteResult {
  rows: unknown[];
  changes?: number;
  lastInsertRowid?: number | bigint;
}

/**
 * A statement that runs once per row. Rows travel as one flat list: copying a thousand small arrays to the
 * worker would take longer than writing them.
 */
export interface SqliteStep {
  sql: string;
  /** Values in a row. */
  width: number;
  /** All rows, one after the other; in a Float64Array NaN stands for null, and it is handed over, not copied. */
  cells: Float64Array<ArrayBuffer> | unknown[];
  /** Places in a row whose text is bytes, a character each. */
  blobs: readonly number[];
  /** Which places of a row the statement takes, in its order. */
  picks: readonly number[];
}

type Request =
  | { kind: 'open'; again: boolean }
  | { kind: 'check' | 'close' | 'forget' }
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { kind: 'batch'; steps: readonly SqliteStep[] }
  | { kind: 'shrink'; pages: number; keep: number };

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** One connection in its own thread. Requests are answered in order; none blocks the caller's event loop. */
export class SqliteClient {
  readonly #options: { file: string; readonly: boolean; cacheKilobytes: number };
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor(options: { file: string; readonly: boolean; cacheKilobytes: number }) {
    this.#options = options;
  }

  /**
   * Opens the file. `again` opens what takes its place by now, and rejects when that is not the same database;
   * what was open stays in use then. Rejects with {@link SqliteFailure}.
   */
  async open({ again }: { again: boolean }): Promise<void> {
    this.#worker ??= this.#startWorker();
    await this.#ask({ kind: 'open', again });
  }

  /** Rejects with {@link SqliteFailure} when the file is not the one that was opened any more. */
  async check(): Promise<void> {
    await this.#ask({ kind: 'check' });
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    // The worker answers a `query` with exactly this shape.
    return (await this.#ask({ kind: 'query', sql, parameters })) as SqliteResult;
  }

  /**
   * Runs all steps in one transaction; resolves when it is committed and on disk, with the `id` that each
   * run of a statement `returning id` gave.
   */
  async batch(steps: readonly SqliteStep[]): Promise<number[]> {
    // The worker answers a `batch` with exactly this shape.
    return (await this.#ask({ kind: 'batch', steps })) as number[];
  }

  /**
   * The first steps of the next {@link batch}, which are worked on while those that follow are made; how it went is told
   * by that one. Nothing else may be asked for in between, but {@link forget}.
   */
  piece(steps: readonly SqliteStep[]): void {
    this.#worker?.postMessage({ id: null, kind: 'piece', steps }, handedOver({ steps }));
  }

  /** Takes pieces back of which no batch will come. */
  async forget(): Promise<void> {
    await this.#ask({ kind: 'forget' });
  }

  /** Gives free pages back to the disk, `pages` at most and down to `keep` of them. True = there are more. */
  async shrink(amount: { pages: number; keep: number }): Promise<boolean> {
    return (await this.#ask({ kind: 'shrink', ...amount })) === true;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    try {
      await this.#ask({ kind: 'close' });
    } finally {
      this.#worker = null;
      await worker.terminate();
    }
  }

  #startWorker(): Worker {
    // The same relative place from source and beside the bundle, where the build copies the file to.
    const worker = new Worker(new URL('./sqlite-worker.mjs', import.meta.url), {
      workerData: this.#options,
    });
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error: Error) => this.#lost(worker, error.message));
    worker.on('exit', () => this.#lost(worker, 'the database thread ended'));
    return worker;
  }

  async #ask(request: Request): Promise<unknown> {
    const worker = this.#worker;
    if (!worker) throw new SqliteFailure('LOCKSCOPE_CLOSED', 'the database is not open');
    const id = this.#nextId++;
    return await new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...request }, request.kind === 'batch' ? handedOver(request) : []);
    });
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error) {
      waiting?.reject(new SqliteFailure(answer.error.code, answer.error.message));
    } else {
      waiting?.resolve(answer.result);
    }
  }

  #lost(worker: Worker, message: string): void {
    if (this.#worker === worker) this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new SqliteFailure('LOCKSCOPE_WORKER_GONE', message));
  }
}

/** Two steps may share their cells. */
function handedOver({ steps }: { steps: readonly SqliteStep[] }): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { cells } of steps) if (cells instanceof Float64Array) buffers.add(cells.buffer);
  return [...buffers];
}

interface Answer {
  id: number;
  result?: unknown;
  error?: { code: string; message: string };
}
