import type { Recorder } from '@/server/store/recorder-contract';
import { ROLLUP_STEP_MS, type Rollup, type Store } from '@/server/store/store-contract';

const BLOCK_MS = 60_000;
/** A step may still grow this long after its end: late flushes and corrected ends. */
const SETTLE_MS = 30_000;
/** Rollups remembered; about 300 bytes each. Longer ranges are read again each time. */
const MAX_REMEMBERED = 100_000;
/** Minutes remembered, empty ones too: a day and a little. */
const MAX_BLOCKS = 1500;
/** Longer than the store keeps rollups; nothing is looked for before. */
const LONGEST_MS = 31 * 86_400_000;
/** From here on it pays to ask where history begins. */
const LONG_MS = 3 * 3_600_000;
/** The most rollups one answer is made of: about 60 MB. The range is cut at its beginning. */
const MAX_ROWS: Record<RollupParts, number> = { sums: 200_000, 'sums-and-sketches': 100_000 };
/** Minutes read in one question to the store: few where there is much in them. */
const FIRST_READ_BLOCKS = 5;
const MAX_READ_BLOCKS = 1440;
const MAX_READ_ROWS = 5000;

export type RollupParts = 'sums' | 'sums-and-sketches';

export interface ReadRollups {
  /** Begins later than asked where a whole answer would be too much work. */
  from: number;
  rollups: Rollup[];
}

/** Rollups of one target, those not yet stored included. Minutes that are over are read once. */
export interface RollupReader {
  /**
   * All rollups whose step starts in [from, to), the newest if there are too many. Sketches are most of the
   * work: ask for them only where percentiles are shown. Rejects with STORE_UNAVAILABLE.
   */
  read: (from: number, to: number, parts: RollupParts) => Promise<ReadRollups>;
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

  /** How far back [from, end) is read at once: to the next minute that is remembered at most. */
  const startOfRead = (from: number, end: number, { blocks, parts }: ReadSize): number => {
    const furthest = Math.max(from, end - blocks * BLOCK_MS);
    let start = end - BLOCK_MS;
    while (start > furthest && !recall(start - BLOCK_MS, parts)) start -= BLOCK_MS;
    return start;
  };

  /** The minutes in [from, to) that are over, from memory where they are; the last `maxRows` and a few. */
  const readClosed = async (
    from: number,
    to: number,
    { parts, maxRows }: { parts: RollupParts; maxRows: number },
  ): Promise<ReadRollups> => {
    const newestFirst: Rollup[][] = [];
    let blocks = FIRST_READ_BLOCKS;
    let rows = 0;
    let end = to;
    while (end > from && rows < maxRows) {
      let read = recall(end - BLOCK_MS, parts);
      if (read) end -= BLOCK_MS;
      else {
        const start = startOfRead(from, end, { blocks, parts });
        read = await readBlocks(start, end, parts);
        blocks = nextSize(blocks, read.length);
        end = start;
      }
      rows += read.length;
      newestFirst.push(read);
    }
    return { from: end, rollups: newestFirst.toReversed().flat() };
  };

  /** `from`, or where history begins when that is later. */
  const startOfHistory = async (from: number, to: number): Promise<number> => {
    if (to - from <= LONG_MS) return from;
    const first = (await store.firstRollupAt()) ?? to;
    return Math.max(from, Math.min(to, Math.max(first, now() - LONGEST_MS)));
  };

  return {
    read: async (from, to, parts) => {
      const settled = Math.min(blockOf(now() - SETTLE_MS), blockOf(to));
      // Flushed first, so that what is read and what is pending do not overlap.
      await recorder.flush();
      const pending = recorder.pending().rollups;
      const tail = await readStore(Math.max(from, settled), to, parts);
      const begin = blockOf(await startOfHistory(from, settled));
      const maxRows = MAX_ROWS[parts] - tail.length;
      const closed = await readClosed(begin, settled, { parts, maxRows });
      const rollups = [...closed.rollups, ...tail, ...pending].filter(
        (rollup) => rollup.step >= from && rollup.step < to,
      );
      return { from: closed.from > begin ? closed.from : from, rollups };
    },
  };
}

interface ReadSize {
  blocks: number;
  parts: RollupParts;
}

/** So that a question brings neither next to nothing nor more than is taken in at once. */
function nextSize(blocks: number, rows: number): number {
  if (rows > MAX_READ_ROWS) return Math.max(1, Math.floor(blocks / 2));
  return rows * 2 < MAX_READ_ROWS ? Math.min(MAX_READ_BLOCKS, blocks * 2) : blocks;
}

/** `time` down to the start of its rollup step. */
export const stepOf = (time: number): number => Math.floor(time / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;
