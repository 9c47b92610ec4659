import type { Config } from '@/server/config';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import type { RuleBook } from '@/server/alerts/rules';
import type { SilenceBook } from '@/server/alerts/silences';
import type { Analysis } from '@/server/analysers/analysis-contract';
import type { Discoveries } from '@/server/libraries/discoveries';
import type { FormatsInUse } from '@/server/libraries/formats-in-use';
import type { Notifier } from '@/server/notify/notify-contract';
import type { LockTable } from '@/server/state/table-contract';
import type { IntendedOrders } from '@/server/store/intended-orders';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import type { Traces } from '@/server/watch/trace/trace-contract';
import type { Watch } from '@/server/watch/watch-contract';
import type { Observation } from '@/server/watch/observation';
import type { Actor } from '@/server/auth/actor';
import type { AdviceMemory } from './advice-memory';
import type { LockIndex } from './lock-index';
import type { HistoryReader } from './history-reader';
import type { UsualHistory } from './usual-history';

/** What every query and verb gets. One target today; queries already name it. */
export interface ServerContext {
  config: Config;
  targetId: string;
  watch: Watch;
  table: LockTable;
  analysis: Analysis;
  alerts: AlertBook;
  /** What operators set of each kind of alert. */
  rules: RuleBook;
  silences: SilenceBook;
  /** Orders of locks that operators said are meant. */
  intendedOrders: IntendedOrders;
  recorder: Recorder;
  traces: Traces;
  /** The formats with what operators pinned, and which keys are watched. */
  formats: FormatsInUse;
  discoveries: Discoveries;
  notifier: Notifier;
  store: Store;
  /** Feeds an observation into the pipeline, as the watch does. */
  observe: (observations: readonly Observation[]) => void;
  now: () => number;
  /** When this process began to watch, epoch ms. */
  startedAt: number;
  /** `createLockIndex()`: remembers the order of the last lists. */
  lockIndex: LockIndex;
  /** `createHistoryReader({store, recorder, targetId})`. */
  history: HistoryReader;
  /** `createAdviceMemory()`. */
  adviceMemory: AdviceMemory;
  /** `createUsualHistory({history, usual, now})`. */
  usualHistory: UsualHistory;
}

export interface QueryContext extends ServerContext {
  actor: Actor;
}
