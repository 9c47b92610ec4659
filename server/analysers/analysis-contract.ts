import type { AlertCode } from '@/lib/protocol/alert';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Threshold } from '@/lib/protocol/rules';
import type { Target } from '@/lib/protocol/target';
import type { Change, LockRef } from '@/server/state/change';
import type { LockTable } from '@/server/state/table-contract';
import type { Finding } from './finding';

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

/** Changes + table + now → findings. Pure but for what it remembers of past changes, which is bounded. */
export interface Analysis {
  /** Takes in what just changed (takeovers, evictions, vanished holds, ends of waits). */
  observe: (changes: readonly Change[]) => void;
  /** Conditions that a verb found out (the holder came back). */
  note: (finding: Finding) => void;
  /** Everything that is the case at `now`. Called a few times a second. */
  findings: (table: LockTable, target: Target, now: number) => Finding[];
  /** Cycles that appeared or were resolved since the last call: what must be kept. */
  takeChangedDeadlocks: () => Deadlock[];
  /** Current and recently resolved cycles, after `findings`. */
  deadlocks: () => Deadlock[];
  /** Those that stood when the console stopped: met again, they are the same incidents. */
  restoreDeadlocks: (deadlocks: readonly Deadlock[]) => void;
  /** Locks to be read at once with the cause `check`, after `findings`: something is about to be told of them. */
  toCheck: () => LockRef[];
}
