import type { AcquireOptions, LockClient, LockClientOptions } from '@/lib/lock/index';

/** What a process of the fleet needs of the lock that it uses, so that broken ones can stand in its place. */
export type LockUnderTest = Pick<LockClient, 'acquire' | 'tryAcquire' | 'using' | 'close'>;

export interface ProcessSettings {
  /** Unique in the run. */
  process: string;
  locksPort: number;
  resourcePort: number;
  /** Options that survive JSON. */
  client: Pick<LockClientOptions, 'prefix' | 'namespace' | 'ttlMs' | 'waitMs' | 'fair' | 'reports'>;
}

/** Workers that enter one critical section after another until they are told to stop. */
export interface LoopPlan {
  workers: number;
  /** The first is used most, each further one less (1/√rank). */
  names: string[];
  seed: number;
  /** A share of the holds lasts up to `maxMs`; the others only as long as their two writes. */
  longHolds: { share: number; maxMs: number };
  /** Shares of sections that are asked for in an unusual way; the rest waits its turn and gets it. */
  shares: {
    /** Waits a few ms only. */
    impatient: number;
    /** Is aborted while it waits. */
    aborted: number;
    /** Does not wait at all. */
    tries: number;
    /** Waits, but not in the queue. */
    barging: number;
    /** Takes the lock once more inside. */
    nested: number;
  };
  waitMs: number;
}

export interface Held {
  fence: number;
  owner: string;
  key: string;
  waitedMs: number;
}

export interface Look {
  isHeld: boolean;
  aborted: boolean;
  remainingMs: number;
  fence: number;
  depth: number;
}

export interface Failure {
  name: string;
  code: string;
  message: string;
}

/** What a process can be asked to do, by verb: [what it is told, what it answers]. */
export interface Verbs {
  loop: [LoopPlan, null];
  /** Ends the loops after the section that each is in. */
  endLoop: [null, null];
  /** Takes a lock and keeps it under the name `as`. */
  acquire: [{ as: string; name: string; options?: Omit<AcquireOptions, 'signal'> }, Held];
  look: [{ as: string }, Look];
  release: [{ as: string }, null];
  /** Blocks the whole process, timers and all. */
  block: [{ ms: number }, null];
  /** Ends loops, locks and connections; the process then has to end by itself. */
  close: [null, null];
}

export type Verb = keyof Verbs;
export type Told<V extends Verb> = Verbs[V][0];
export type Answered<V extends Verb> = Verbs[V][1];

export interface Ask {
  id: number;
  verb: Verb;
  told: unknown;
}

export type Reply = { id: number; answer: unknown } | { id: number; failure: Failure };
