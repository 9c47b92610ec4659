import type { FormatTable } from '@/lib/formats/format';
import type { CommandConnections } from '@/server/redis/command-connections';
import type { Observation } from './observation';
import type { ClientQuestion } from './client-watch';
import type { ProbedLock } from './waiter-probe';
import type { JobRef, KeyRef, WatchFactory } from './watch-contract';

type Given = Parameters<WatchFactory>[0];

export interface NodeWatchOptions extends Pick<
  Given,
  'url' | 'patterns' | 'everything' | 'allowInsecureRedis' | 'now'
> {
  dbs: readonly number[];
  formats: FormatTable;
  /** Names the canary keys of this process. */
  canaryId: string;
  commands: CommandConnections;
  deliver: (observations: readonly Observation[]) => void;
  probes: () => ProbedLock[];
  question: () => ClientQuestion;
  jobs: () => JobRef[];
  idleAfterMs: () => number;
  reconcile: (limit: number) => KeyRef[];
}
