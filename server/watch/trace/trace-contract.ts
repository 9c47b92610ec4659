import type { Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { Trace, TraceSummary } from '@/lib/protocol/trace';

/** What the lock table knows of a key. */
export interface KnownLock {
  format: string;
  /** Something is stored under the key now. */
  exists: boolean;
  /** The whole value of a string; null of anything else, and where it is not known. */
  value: Bytes | null;
  /** Epoch ms by our clock; null = nobody holds it. */
  since: number | null;
  /** The beginning itself was seen, and not found later. */
  isSinceSeen: boolean;
  /** Null = no expiry, or not known. */
  deadline: number | null;
}

/** The lock table, as a trace needs it; asked for each command, so quick. */
export interface KnownLocks {
  has: (db: number, key: Bytes) => boolean;
  get: (db: number, key: Bytes) => KnownLock | null;
  /** Where the lock's waiters listen. */
  channels: (db: number, key: Bytes) => readonly Bytes[];
}

/** What a trace saw of the attempts on one lock. */
export type SampledFigures = NonNullable<LockDetail['sampled']>;

export interface TraceRequest {
  seconds: number;
  actor: string;
  reason: string | null;
}

/** Traces of one target: at most one runs, the last are remembered until the console stops. */
export interface Traces {
  /**
   * Throws CONFLICT while one runs (`details.running`), CAPABILITY_MISSING with the rule where MONITOR is
   * refused, TARGET_UNAVAILABLE.
   */
  start: (request: TraceRequest) => Promise<TraceSummary>;
  /** Ends it early. Throws NOT_FOUND, and CONFLICT when it has ended. */
  end: (id: string, actor: string) => TraceSummary;
  /** Throws NOT_FOUND. */
  get: (id: string) => Trace;
  /** Newest first. */
  list: () => TraceSummary[];
  /** What the last trace that saw this lock saw of it. */
  sampled: (db: number, key: Bytes) => SampledFigures | null;
  /** Grows with every change. */
  readonly version: number;
  stop: () => Promise<void>;
}
