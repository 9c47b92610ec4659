import type { Bytes } from '@/lib/protocol/bytes';
import type { FormatTable } from '@/lib/formats/format';
import type { Observation } from '@/server/watch/observation';
import type { Change, LockRef } from './change';
import type { Instance } from './instances';
import type { HoldRecord, LockRecord } from './lock-record';

/** A hold that was open when the console stopped, as the store kept it. */
export interface OpenHold {
  db: number;
  key: Bytes;
  formatId: string;
  generation: number;
  acquisitions: number;
  token: Bytes | null;
  since: number;
  sinceEvidence: HoldRecord['sinceEvidence'];
  renewals: number;
  maxDepth: number;
}

export interface LockTableOptions {
  target: string;
  formats: FormatTable;
  /** Does an operator's own pattern declare this key to be a lock? (`*` declares nothing.) */
  isDeclared: (db: number, key: Bytes) => boolean;
  /** Whether events of this key are subscribed to. Left out = of every key. */
  isWatched?: (key: Bytes) => boolean;
  /** Lock class and namespace of a key. */
  classify: (key: Bytes) => { class: string; namespace: string };
}

/**
 * The only model of what is held and awaited. No I/O, no clock: `at` comes with every observation.
 */
export interface LockTable {
  apply: (observations: readonly Observation[]) => Change[];
  /** Adopts holds that were open at the last stop; the first reads confirm or end them. */
  restore: (holds: readonly OpenHold[]) => void;
  get: (db: number, key: Bytes) => LockRecord | undefined;
  all: () => Iterable<LockRecord>;
  readonly size: number;
  /** Grows with every change; equal = nothing changed. */
  readonly version: number;
  readonly counts: { held: number; free: number; coolingDown: number; orphanQueues: number };
  /** Held locks whose deadline has passed and were not handed out for it yet; at most `limit`. */
  takeDue: (now: number, limit: number) => LockRef[];
  /** Next `limit` held (or queued) locks in rotation, for reconciling reads. */
  nextToReconcile: (limit: number) => LockRef[];
  /** Locks whose waiters are worth probing through pub/sub, with the channels. */
  probeable: () => { db: number; key: Bytes; channels: Bytes[] }[];
  /** What the list of clients would help with at `now`; null = with nothing. */
  clientQuestion: (now: number) => 'waiters' | 'owners' | null;
  /** Structures in which libraries list their locks, as last counted. */
  readonly indexes: readonly { db: number; key: Bytes; members: number }[];
  connected: boolean;
  /** The instances of our own client that were read so far, those that have gone as well. */
  instances: () => Iterable<[instance: string, known: Instance]>;
}
