import type { Bytes } from '@/lib/protocol/bytes';
import type { Gap } from '@/lib/protocol/target';
import type { Change } from '@/server/state/change';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import type { BlameRow, Rollup, WaitRow } from './history-contract';
import type { HoldRow, Store } from './store-contract';

export interface RecorderOptions {
  store: Store;
  target: string;
  now: () => number;
  /** The lock of that key, where it is known. */
  find: (db: number, key: Bytes) => LockRecord | undefined;
  /** Since when events may be missed; null = none are. */
  blindSince?: () => number | null;
  /** Whether what stood before is still being found. Left out = it is not. */
  isStarting?: () => boolean;
}

/** Turns changes into hold rows and rollups, and writes them behind the store's back pressure. */
export interface Recorder {
  record: (changes: readonly Change[]) => void;
  /** Adds the held and waited time since the last call; about once a second. */
  integrate: (table: LockTable, now: number) => void;
  /** Something of these times that others keep was given up: it is counted, and those times are a gap. */
  gaveUp: (times: readonly number[]) => void;
  /** Has open holds written as they are now; for the end, after which nobody renews them here. */
  keepOpen: (table: LockTable) => void;
  /** Writes what is pending; resolves when it is durable. Never throws: a broken store keeps rows pending (bounded). */
  flush: () => Promise<void>;
  /**
   * Runs `read` while no step passes from here into the store: what it finds there of steps and what `pending` tells are
   * together everything, and nothing twice.
   */
  whileSettled: <T>(read: () => Promise<T>) => Promise<T>;
  /** What is not yet in the store, so that a query sees the last seconds too. Each part is made when it is read. */
  pending: () => PendingHistory;
  /** Rows that wait to be written; the sums of steps that are not over are not among them. */
  readonly pendingRows: number;
  /** Rows given up because the store stayed broken; shown, never silent, and marked as a gap. */
  readonly lostRows: number;
  stop: () => Promise<void>;
}

export interface PendingHistory {
  readonly classRollups: readonly Rollup[];
  readonly lockRollups: readonly Rollup[];
  readonly blame: readonly BlameRow[];
  readonly holds: readonly HoldRow[];
  readonly leftWaits: readonly WaitRow[];
  /** Rows that were given up are a gap too, of the steps that they were of. */
  readonly gaps: readonly Gap[];
}
