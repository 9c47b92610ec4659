import { isCodedError } from '@/lib/protocol/errors';
import type { Gap } from '@/lib/protocol/target';
import { createSerial } from './serial';
import type { HoldRow, Rollup, Store } from './store-contract';

/** The most rows kept while the store is broken: about 100 MB. Beyond it rows are given up, and counted. */
const PENDING_ROWS = 200_000;
/** Half a thousand rows occupy the event loop for about 2 ms. */
const BATCH_ROWS = 500;

/** Rows on their way into the store. A row stays here until the store has said that it is durable. */
export class PendingWrites {
  readonly #store: Store;
  readonly #target: string;
  readonly #holds = new Map<string, HoldRow>();
  #rollups: Rollup[] = [];
  #gaps: Gap[] = [];
  #lost = 0;
  readonly #inTurn = createSerial();

  constructor(store: Store, target: string) {
    this.#store = store;
    this.#target = target;
  }

  get lost(): number {
    return this.#lost;
  }

  get holds(): HoldRow[] {
    return [...this.#holds.values()];
  }

  get rollups(): readonly Rollup[] {
    return this.#rollups;
  }

  /** A newer row about the same hold takes the place of one that still waits. */
  addHold(row: HoldRow): void {
    const id = `${row.past.generation}:${row.db}:${row.key}`;
    if (this.#holds.size >= PENDING_ROWS && !this.#holds.has(id)) this.#lost += 1;
    else this.#holds.set(id, row);
  }

  addRollups(rows: readonly Rollup[]): void {
    const room = Math.max(0, PENDING_ROWS - this.#rollups.length);
    this.#rollups.push(...rows.slice(0, room));
    this.#lost += Math.max(0, rows.length - room);
  }

  addGap(gap: Gap): void {
    this.#gaps.push(gap);
  }

  /** Writes what waits now; what fails because the store is broken goes on waiting. */
  write(): Promise<void> {
    return this.#inTurn(async () => {
      if (!(await this.#writeHolds())) return;
      if (!(await this.#writeRollups())) return;
      await this.#writeGaps();
    });
  }

  async #writeHolds(): Promise<boolean> {
    // What arrives meanwhile waits for the next call: a busy target must not keep this one going.
    const waiting = [...this.#holds];
    for (let from = 0; from < waiting.length; from += BATCH_ROWS) {
      const batch = waiting.slice(from, from + BATCH_ROWS);
      const rows = batch.map(([, row]) => row);
      if (!(await this.#settled(rows.length, this.#store.writeHolds(rows)))) return false;
      for (const [id, row] of batch) if (this.#holds.get(id) === row) this.#holds.delete(id);
    }
    return true;
  }

  async #writeRollups(): Promise<boolean> {
    const waiting = this.#rollups;
    for (let from = 0; from < waiting.length; from += BATCH_ROWS) {
      const batch = waiting.slice(from, from + BATCH_ROWS);
      if (!(await this.#settled(batch.length, this.#store.writeRollups(batch)))) return false;
      const written = new Set(batch);
      this.#rollups = this.#rollups.filter((rollup) => !written.has(rollup));
    }
    return true;
  }

  async #writeGaps(): Promise<boolean> {
    for (const gap of this.#gaps) {
      if (!(await this.#settled(1, this.#store.writeGap(this.#target, gap)))) return false;
      this.#gaps = this.#gaps.filter((other) => other !== gap);
    }
    return true;
  }

  /**
   * False = the store is broken, try again later. Any other failure would repeat for ever and hold up all
   * that comes after, so those rows are given up.
   */
  async #settled(rows: number, write: Promise<void>): Promise<boolean> {
    try {
      await write;
    } catch (error) {
      if (isCodedError(error) && error.code === 'STORE_UNAVAILABLE') return false;
      this.#lost += rows;
    }
    return true;
  }
}
