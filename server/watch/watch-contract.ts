import type { Redis } from 'ioredis';
import type { ActiveJob, FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Target } from '@/lib/protocol/target';
import type { ClientQuestion } from './client-watch';
import type { Observation, ReadCause, ReadObservation } from './observation';

export interface KeyRef {
  db: number;
  key: Bytes;
}

/** A job whose lock is `key`, and the list in which it is looked for. */
export interface JobRef extends KeyRef, ActiveJob {}

/** One watched deployment. Speaks Redis and nothing else; says what it sees as observations. */
export interface Watch {
  /** Connects, probes, subscribes, proves itself by the canary and begins the first sweep. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** One listener: the pipeline. Called synchronously with what one socket read brought. */
  onObservations: (listener: (observations: readonly Observation[]) => void) => void;
  /** Reads keys in batches; the results come as observations. Unknown keys are fine. */
  read: (refs: readonly KeyRef[], cause: ReadCause) => void;
  /** Reads one key at once; the result also comes as an observation. Rejects with TARGET_UNAVAILABLE. */
  readNow: (ref: KeyRef) => Promise<ReadObservation>;
  /**
   * The operator's own patterns from now on, all of them, in the place of those given at the start. No event
   * falls between or comes twice; what they let in newly is swept.
   */
  setPatterns: (patterns: readonly Bytes[]) => void;
  /** Which locks' channels to count subscribers of, asked once a second. */
  setProbes: (probes: () => { db: number; key: Bytes; channels: Bytes[] }[]) => void;
  /** What the list of clients would help with, asked every 2 s; it is not read for `null`. */
  setClientQuestion: (next: () => ClientQuestion) => void;
  /** For how long a channel must be listened to for nothing until a status tells it: ms, asked every few seconds. */
  setIdleAfter: (ms: () => number) => void;
  /** Which locks to re-read in rotation, asked often, so that each is seen within 5 s. */
  setReconcile: (next: (limit: number) => KeyRef[]) => void;
  /** Which jobs to look for among those that run, asked often; where their locks are not there, answers come. */
  setJobs: (next: () => JobRef[]) => void;
  /** Where the watch stands, for people and for `/api/v1/targets`. */
  status: () => Target;
  /** Since when events may be missed, where that lasts; null = none are missed. */
  readonly blindSince: number | null;
  /** First sweep done and canary answered, or it is known what is blind. */
  readonly ready: boolean;
  /** The connection for verbs: one per db, errors are Redis's own. */
  commandConnection: (db: number) => Promise<Redis>;
}

/** `status().warnings` are re-evaluated here; analysers turn them into findings. */
export type WatchFactory = (options: {
  url: string;
  mode: 'standalone' | 'sentinel' | 'cluster';
  db: number;
  dbs: number[] | 'all';
  /** Operator's own glob patterns at the start, bytes; `everything` = all keys. */
  patterns: readonly Bytes[];
  everything: boolean;
  allowInsecureRedis: boolean;
  now: () => number;
  /** Name of the target; `redis` when not given. */
  id?: string;
  /** The table of formats; the project's own when not given. */
  formats?: FormatTable;
}) => Watch;
