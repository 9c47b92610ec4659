import type { Recorder } from '@/server/store/recorder-contract';
import { ROLLUP_STEP_MS, type Rollup, type Store } from '@/server/store/store-contract';

const BLOCK_MS = 60_000;
/** A step may still grow this long after its end: late flushes and corrected ends. */
const SETTLE_MS = 30_000;
/** Rollups remembered; about 300 bytes each. Longer ranges are read again each time. */
const MAX_REMEMBERED = 100_000;

/** Rollups of one target, those not yet stored included. Minutes that are over are read once. */
export interface RollupReader {
  /** All rollups whose step starts in [from, to). Rejects with STORE_UNAVAILABLE. */
  read: (from: number, to: number) => Promise<Rollup[]>;
}

export interface RollupReaderOptions {
  store: Store;
  recorder: Recorder;
  targetId: string;
  now: () => number;
}

class RememberedBlocks {
  readonly #blocks = new Map<number, Rollup[]>();
  #size = 0;

  get(start: number): Rollup[] | undefined {
    return this.#blocks.get(start);
  }

  add(start: number, rollups: Rollup[]): void {
    this.#blocks.set(start, rollups);
    this.#size += rollups.length;
    for (const [oldest, block] of this.#blocks) {
      if (this.#size <= MAX_REMEMBERED) return;
      this.#blocks.delete(oldest);
      this.#size -= block.length;
    }
  }
}

const blockOf = (time: number): number => Math.floor(time / BLOCK_MS) * BLOCK_MS;

export function createRollupReader(options: RollupReaderOptions): RollupReader {
  const { store, recorder, targetId: target, now } = options;
  const remembered = new RememberedBlocks();

  /** Reads [from, to), both block borders, and remembers it. */
  const readBlocks = async (from: number, to: number): Promise<Rollup[]> => {
    const rows = await store.rollups({ target, from, to: to - 1 });
    const byBlock = Map.groupBy(rows, (row) => blockOf(row.step));
    for (let start = from; start < to; start += BLOCK_MS) {
      remembered.add(start, byBlock.get(start) ?? []);
    }
    return rows;
  };

  /** The minutes in [from, to) that are over, from memory where they are. */
  const readClosed = async (from: number, to: number): Promise<Rollup[]> => {
    const parts: Rollup[][] = [];
    let missingFrom: number | null = null;
    for (let start = from; start <= to; start += BLOCK_MS) {
      const known = start < to ? remembered.get(start) : [];
      if (!known) missingFrom ??= start;
      else {
        if (missingFrom !== null) parts.push(await readBlocks(missingFrom, start));
        missingFrom = null;
        parts.push(known);
      }
    }
    return parts.flat();
  };

  return {
    read: async (from, to) => {
      const settled = Math.min(blockOf(now() - SETTLE_MS), blockOf(to));
      const closed = settled > from ? await readClosed(blockOf(from), settled) : [];
      // Flushed first, so that what is read and what is pending do not overlap.
      await recorder.flush();
      const pending = recorder.pending().rollups;
      const tailFrom = Math.max(from, settled);
      const tail = await store.rollups({ target, from: tailFrom, to: to - 1 });
      return [...closed, ...tail, ...pending].filter(
        (rollup) => rollup.step >= from && rollup.step < to,
      );
    },
  };
}

/** `time` down to the start of its rollup step. */
export const stepOf = (time: number): number => Math.floor(time / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;
