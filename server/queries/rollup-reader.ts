import type { Recorder } from '@/server/store/recorder-contract';
import { ROLLUP_STEP_MS, type Rollup, type Store } from '@/server/store/store-contract';

const BLOCK_MS = 60_000;
/** A step may still grow this long after its end: late flushes and corrected ends. */
const SETTLE_MS = 30_000;
/** Rollups remembered; about 300 bytes each. Longer ranges are read again each time. */
const MAX_REMEMBERED = 100_000;
/** Minutes remembered, empty ones too: a day and a little. */
const MAX_BLOCKS = 1500;

export type RollupParts = 'sums' | 'sums-and-sketches';

/** Rollups of one target, those not yet stored included. Minutes that are over are read once. */
export interface RollupReader {
  /**
   * All rollups whose step starts in [from, to). Sketches are most of the work: ask for them only where
   * percentiles are shown. Rejects with STORE_UNAVAILABLE.
   */
  read: (from: number, to: number, parts: RollupParts) => Promise<Rollup[]>;
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
    this.#size -= this.#blocks.get(start)?.length ?? 0;
    this.#blocks.set(start, rollups);
    this.#size += rollups.length;
    for (const [oldest, block] of this.#blocks) {
      if (this.#size <= MAX_REMEMBERED && this.#blocks.size <= MAX_BLOCKS) return;
      this.#blocks.delete(oldest);
      this.#size -= block.length;
    }
  }
}

const blockOf = (time: number): number => Math.floor(time / BLOCK_MS) * BLOCK_MS;

export function createRollupReader(options: RollupReaderOptions): RollupReader {
  const { store, recorder, targetId: target, now } = options;
  const withSketches = new RememberedBlocks();
  const sumsOnly = new RememberedBlocks();

  const recall = (start: number, parts: RollupParts): Rollup[] | undefined =>
    withSketches.get(start) ?? (parts === 'sums' ? sumsOnly.get(start) : undefined);

  const readStore = (from: number, to: number, parts: RollupParts): Promise<Rollup[]> =>
    store.rollups({ target, from, to, sketches: parts === 'sums-and-sketches' });

  /** Reads [from, to), both block borders, and remembers it. */
  const readBlocks = async (from: number, to: number, parts: RollupParts): Promise<Rollup[]> => {
    const rows = await readStore(from, to, parts);
    const byBlock = Map.groupBy(rows, (row) => blockOf(row.step));
    const remembered = parts === 'sums' ? sumsOnly : withSketches;
    for (let start = from; start < to; start += BLOCK_MS) {
      remembered.add(start, byBlock.get(start) ?? []);
    }
    return rows;
  };

  /** The minutes in [from, to) that are over, from memory where they are. */
  const readClosed = async (from: number, to: number, parts: RollupParts): Promise<Rollup[]> => {
    const known: Rollup[][] = [];
    let missingFrom: number | null = null;
    for (let start = from; start <= to; start += BLOCK_MS) {
      const block = start < to ? recall(start, parts) : [];
      if (!block) missingFrom ??= start;
      else {
        if (missingFrom !== null) known.push(await readBlocks(missingFrom, start, parts));
        missingFrom = null;
        known.push(block);
      }
    }
    return known.flat();
  };

  return {
    read: async (from, to, parts) => {
      const settled = Math.min(blockOf(now() - SETTLE_MS), blockOf(to));
      const closed = settled > from ? await readClosed(blockOf(from), settled, parts) : [];
      // Flushed first, so that what is read and what is pending do not overlap.
      await recorder.flush();
      const pending = recorder.pending().rollups;
      const tail = await readStore(Math.max(from, settled), to, parts);
      return [...closed, ...tail, ...pending].filter(
        (rollup) => rollup.step >= from && rollup.step < to,
      );
    },
  };
}

/** `time` down to the start of its rollup step. */
export const stepOf = (time: number): number => Math.floor(time / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;
