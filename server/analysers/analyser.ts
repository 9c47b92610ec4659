import type { Target } from '@/lib/protocol/target';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import type { AnalysisSettings } from './analysis-contract';
import type { Finding } from './finding';
import type { OverrunCounts } from './overrun-counts';
import type { UsualHolds } from './usual-holds';

/** What an analyser may look at. `now` is epoch ms, the only clock. */
export interface View {
  table: LockTable;
  target: Target;
  settings: AnalysisSettings;
  /** How long holds of a class last, in the last seven days. */
  usual: Pick<UsualHolds, 'quantile'>;
  overruns: Pick<OverrunCounts, 'ofLock' | 'ofHolder'>;
  now: number;
}

/**
 * One kind of finding. All analysers share one pass over the table, so an analyser collects in `held` and
 * `awaited` and answers in `findings`, which also empties what it collected.
 */
export interface Analyser {
  /**
   * What it needs to judge. Without it, its findings stay as they were and it is not called: `table` =
   * a connection, `events` = a connection on which acquires and releases are seen, `nothing` = always
   * called.
   */
  needs: 'table' | 'events' | 'nothing';
  observe?: (changes: readonly Change[]) => void;
  /** Each lock that is held and in use (a kept, finished one is not). */
  held?: (lock: LockRecord, hold: HoldRecord, view: View) => void;
  /** Each lock with a queue, with subscribers or with a hint of waiters, held or not. */
  awaited?: (lock: LockRecord, view: View) => void;
  findings: (view: View) => Finding[];
}

/** How far the target can be seen now. */
export type Sight = 'events' | 'reads' | 'nothing';

/** Without any connected node nothing is seen; without acquires or releases only what reads tell. */
export function sightOf(target: Target): Sight {
  const connected = target.nodes.filter((node) => node.connected);
  if (connected.length === 0) return 'nothing';
  const blind = connected.some(
    ({ canSee }) => canSee.acquire === false || canSee.release === false,
  );
  return blind || connected.length < target.nodes.length ? 'reads' : 'events';
}

export function canJudge(analyser: Analyser, sight: Sight): boolean {
  if (analyser.needs === 'nothing') return true;
  return analyser.needs === 'table' ? sight !== 'nothing' : sight === 'events';
}
