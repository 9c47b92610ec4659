import type { Change } from '@/server/state/change';
import type { LockTable } from '@/server/state/table-contract';
import type { HoldRow, Rollup } from './store-contract';

/** Turns changes into hold rows and rollups, and writes them behind the store's back pressure. */
export interface Recorder {
  record: (changes: readonly Change[]) => void;
  /** Adds the held and waited time since the last call; about once a second. */
  integrate: (table: LockTable, now: number) => void;
  /** Has open holds written as they are now; for the end, after which nobody renews them here. */
  keepOpen: (table: LockTable) => void;
  /** Writes what is pending; resolves when it is durable. Never throws: a broken store keeps rows pending (bounded). */
  flush: () => Promise<void>;
  /** Rollups and holds not yet in the store, so that a query sees the last seconds too. */
  pending: () => { rollups: Rollup[]; holds: HoldRow[] };
  /** Rows given up because the store stayed broken; shown, never silent. */
  readonly lostRows: number;
  stop: () => Promise<void>;
}
