import type { Order } from '@/lib/analysis/lock-order';
import type { AlertCode } from '@/lib/protocol/alert';
import type { Deadlock, WaitChain } from '@/lib/protocol/deadlock';
import type { Threshold } from '@/lib/protocol/rules';
import type { Target } from '@/lib/protocol/target';
import type { Change, LockRef } from '@/server/state/change';
import type { LockTable } from '@/server/state/table-contract';
import type { JobRef } from '@/server/watch/watch-contract';
import type { Ending, Finding } from './finding';
import type { SeenMultiLocks } from './multi-locks';
import type { OverrunCounts } from './overrun-counts';
import type { UsualHolds } from './usual-holds';

export interface AnalysisSettings {
  longHoldMs: number;
  /** For single classes, by their name: goes before `longHoldMs` and before what is usual for the class. */
  longHoldMsByClass?: ReadonlyMap<string, number>;
  noExpiryMs: number;
  /**
   * What an operator set for the code and class (null = locks of no single class); null = nothing. Asked at every
   * judgement, so that what is set counts at once.
   */
  thresholdOf?: (code: AlertCode, lockClass: string | null) => Threshold | null;
}

/** Who said that an order is meant, when and why. */
export type IntendedOrder = NonNullable<Deadlock['intended']>;

/** What is known of the order in which locks are taken, and what operators said of it. */
export interface LearntOrders {
  /** Orders that contradict each other, as deadlocks that may come; those that are meant too. */
  predicted: () => Deadlock[];
  orders: () => Order[];
  /** How many were dropped for room. */
  readonly dropped: number;
  /** More classes stand in an order than an application can mean: how many. Null = no more. */
  readonly leakingClasses: number | null;
  /** The order of that id is meant: it is no alert. */
  intend: (id: string, by: IntendedOrder) => void;
  unintend: (id: string) => void;
  /** These are meant, by their ids, and no others. */
  intendOnly: (orders: ReadonlyMap<string, IntendedOrder>) => void;
  /** Who said so of that order; null = nobody. */
  intended: (id: string) => IntendedOrder | null;
  /** What is kept over a restart, as plain JSON. `version` grows when it is another. */
  save: () => unknown;
  readonly version: number;
  restore: (saved: unknown) => void;
}

/** Changes + table + now → findings. Pure but for what it remembers of past changes, which is bounded. */
export interface Analysis {
  /** Takes in what just changed (takeovers, evictions, vanished holds, ends of waits). */
  observe: (changes: readonly Change[]) => void;
  /** Conditions that a verb found out (the holder came back). */
  note: (finding: Finding) => void;
  /** Everything that is the case at `now`. Called a few times a second. */
  findings: (table: LockTable, target: Target, now: number) => Finding[];
  /** How conditions ended that `findings` does not tell any more, since the last call. */
  takeEndings: () => Ending[];
  /** Cycles that appeared or were resolved since the last call: what must be kept. */
  takeChangedDeadlocks: () => Deadlock[];
  /** Current and recently resolved cycles, after `findings`. */
  deadlocks: () => Deadlock[];
  /** Those that stood when the console stopped: met again, they are the same incidents. */
  restoreDeadlocks: (deadlocks: readonly Deadlock[]) => void;
  /** Locks to be read at once with the cause `check`, after `findings`: something is about to be told of them. */
  toCheck: () => LockRef[];
  /** Jobs whose lock ran out, to be looked for at `now` among those that run. */
  jobsToLookFor: (now: number) => JobRef[];
  /** Trees of waits as of the last `findings`, those with most owners first; 100 at most. */
  chains: (now: number) => WaitChain[];
  /** Locks over several keys that one script takes, and whether a Redis Cluster could. */
  multiLocks: (now: number) => SeenMultiLocks;
  readonly orders: LearntOrders;
  readonly overruns: OverrunCounts;
  readonly usual: UsualHolds;
}
