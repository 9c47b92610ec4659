import type { Connection } from '@/test/perf/lock/client';
import type { Section, Unserved } from '@/test/perf/lock/sections';

/** What the bench asks a worker process to do; it does one thing and ends. */
export type Job = UncontendedJob | ContendedJob;

interface JobOf {
  client: string;
  connection: Connection;
  workers: number;
}

/** Every worker takes and releases a lock of its own as fast as it can, whenever a slice of time is given. */
export interface UncontendedJob extends JobOf {
  kind: 'uncontended';
}

/** All workers of all processes take one lock, hold it for a moment, and come again. */
export interface ContendedJob extends JobOf {
  kind: 'contended';
  /** Number of this process's first worker among all processes'. */
  firstWorker: number;
  holdMs: number;
}

/** The measuring window on the shared monotonic clock; workers start at once and stop after it. */
export interface Window {
  startsAt: number;
  endsAt: number;
  /** When a wait that is still going on is given up. */
  givesUpAt: number;
}

export interface Slice {
  ms: number;
}

export interface SliceResult {
  /** Acquire–release pairs a second. */
  perSecond: number;
}

export interface ContendedResult {
  sections: Section[];
  unserved: Unserved[];
  /** Commands that this process sent in the window. */
  commands: number;
}

export type ToWorker = { job: Job } | { slice: Slice } | { window: Window };
export type FromWorker =
  | { ready: true }
  | { slice: SliceResult }
  | { contended: ContendedResult }
  | { failed: string };
