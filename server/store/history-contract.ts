import type { BLAME_CAUSES } from '@/lib/protocol/closed-sets';
import type { Bytes } from '@/lib/protocol/bytes';
import type { EndReason, Evidence } from '@/lib/protocol/lock';
import type { WaitSource } from '@/server/state/lock-record';

/** Length of the step in which figures are first added up; every longer one is a multiple of it. */
export const ROLLUP_STEP_MS = 10_000;

export interface LockName {
  db: number;
  key: Bytes;
}

/** What figures are about: all locks of a class that one library writes, or (`lock`) a single one of them. */
export interface SeriesName {
  target: string;
  class: string;
  namespace: string;
  formatId: string;
  /** Null = the whole class, its single locks included. */
  lock: LockName | null;
}

/** Figures of one series in one span of time. They add up over time and over series; null + n = n. */
export interface Sums {
  acquisitions: number;
  /** Milliseconds held, summed over locks. */
  heldMs: number;
  /** Waiter-milliseconds; null where waiters cannot be counted. */
  waiterMs: number | null;
  /** Waits that ended here, and their milliseconds; null where no single wait can be seen. */
  waits: number | null;
  waitMs: number | null;
  /** Of `waits`, those that ended without the lock. */
  timeouts: number | null;
  /** Failed attempts, as reports and traces tell them; null where neither does. */
  attempts: number | null;
  /** Holds that began where the end of the one before is known, and the time in between. */
  handoffs: number;
  handoffMs: number;
  ends: Partial<Record<EndReason, number>>;
}

/** Distributions that are kept: lengths of holds, of hand-off gaps, and of waits by where they were seen. */
export type SketchKind = 'hold' | 'handoff' | WaitSource;

/** What one series did in one step. */
export interface Rollup extends SeriesName, Sums {
  /** Start of the step, a multiple of `spanMs`. */
  step: number;
  spanMs: number;
  /** Serialised `lib/analysis/sketch` (ms); left out = empty, or not asked for. */
  sketches: Partial<Record<SketchKind, Uint8Array>>;
}

export type BlameCause = (typeof BLAME_CAUSES)[number];

/** Waiting time that one holder of one lock caused in one step. */
export interface BlameRow extends SeriesName {
  cause: BlameCause;
  /** As in `PastHold.owner`; null unless `cause` is `holder`. */
  owner: string | null;
  step: number;
  spanMs: number;
  waiterMs: number;
}

/** What is added to some steps at once. */
export interface StepParts {
  rollups: readonly Rollup[];
  blame: readonly BlameRow[];
  /** A number of 48 bits that no other call has: the same again means that it may have been written before. */
  part?: number | undefined;
}

/** Columns of which a heatmap is made. `lost`: holds that ended by one of `LOST_REASONS`. */
export type HeatColumn = Exclude<keyof Sums, 'ends'> | 'lost';

export interface HeatQuery {
  target: string;
  level: 'class' | 'lock';
  /** A multiple of `stepMs`. */
  from: number;
  /** Exclusive. */
  to: number;
  /** A multiple of the span that `finestSpanAt(from)` tells. */
  stepMs: number;
  columns: readonly HeatColumn[];
  namespace?: string;
  class?: string;
  /** Keeps the `rows` series with the greatest sum of the first column; ties by name. */
  rows: number;
}

/** Sums by series and step, `series.length × steps`, row after row. */
export interface HeatSums {
  from: number;
  stepMs: number;
  steps: number;
  series: SeriesName[];
  /** NaN = null. A step of which nothing was recorded is 0, or NaN where the series never told that column. */
  cells: Partial<Record<HeatColumn, Float64Array>>;
  /** Series that were left out. */
  leftOut: number;
}

export interface RollupsQuery {
  target: string;
  level: 'class' | 'lock';
  from: number;
  to: number;
  /** Steps are added up to these; null = to one for the whole range, whose `step` is `from`. */
  stepMs: number | null;
  namespace?: string;
  class?: string;
  lock?: LockName;
  /** Any of these, at level `lock`. */
  locks?: readonly LockName[];
  /** Which distributions are read along: they are most of the bytes. */
  sketches: readonly SketchKind[];
}

export interface BlameQuery {
  target: string;
  from: number;
  to: number;
  namespace?: string;
  class?: string;
  lock?: LockName;
}

/** One owner's wait that is over. */
export interface WaitRow extends LockName {
  target: string;
  class: string;
  namespace: string;
  formatId: string;
  /** As in `PastHold.owner`; null = not seen. */
  owner: string | null;
  start: number;
  end: number;
  source: WaitSource;
  evidence: Evidence;
  outcome: 'granted' | 'left';
}

export interface WaitsQuery {
  target: string;
  namespace?: string;
  class?: string;
  lock?: LockName;
  /** Waits that ended in [from, to). */
  from: number;
  to: number;
  /** Those that had begun and not ended at this moment, instead of a range. */
  at?: number;
  order: 'longest' | 'newest';
  limit: number;
}

/** One length of step, and for how long its rollups are kept. */
export interface Tier {
  spanMs: number;
  keepMs: number;
}

/** How much of the past is kept. */
export interface Retention {
  /** Shortest span first; each span is a multiple of the one before and is kept longer. */
  tiers: readonly Tier[];
  /** Holds and waits one by one. */
  keepHoldsMs: number;
  /** What the database may take on disk; null = no bound. Beyond it the oldest holds go first. */
  maxBytes: number | null;
}

/** What is kept now, for people. */
export interface Kept {
  tiers: { spanMs: number; keepMs: number; from: number | null; built: number | null }[];
  holds: { keepMs: number; from: number | null };
  maxBytes: number | null;
  /** History shorter than asked for, because the bound was reached; epoch ms of the last cut. */
  cutAt: number | null;
}
