import type { LockClient, RedisConnection } from '../contract.js';

export interface TaskRunnerOptions {
  /** Its locks decide who runs a task; its prefix and namespace name the keys. */
  client: LockClient;
  /** Where the runs are kept. The runner sends commands on it and duplicates it to listen. */
  redis: RedisConnection;
  /** What this process can run and trigger, by name. */
  tasks: Readonly<Record<string, TaskDefinition>>;
  /** Lease of a running task's lock: how long a process that died keeps others out. Default 1 000, at least 200. */
  leaseMs?: number;
  /** How long the record of an ended run is kept, and with it the memory of its id. Default 24 hours. */
  keepMs?: number;
}

export interface TaskDefinition {
  /** Does the work. What it resolves with is kept as the run's result (as JSON); a rejection is tried again. */
  run: (run: TaskRun) => unknown;
  /** Triggers the task by itself at every multiple of this many ms since 1970 (by Redis's clock). At least 100. */
  everyMs?: number;
  /** How often a run is tried before it is `failed`. Default 3. */
  attempts?: number;
  /** Pause before the second attempt, doubled before each further one up to a minute. Default 1 000. */
  backoffMs?: number;
  /** How often in a row a run may be taken over without progress before it is `failed`. Default 20. */
  takeovers?: number;
}

/** One occurrence of a task, as its work sees it. */
export interface TaskRun {
  readonly task: string;
  readonly id: string;
  /** What the trigger gave, through JSON. */
  readonly payload: unknown;
  /** 1 for the first. A takeover goes on within the same attempt. */
  readonly attempt: number;
  /** How many processes began this run before this one and did not end it. */
  readonly takeovers: number;
  /** Strictly increasing over all runners of this task. Give it to what a step writes to, which refuses smaller ones. */
  readonly fence: number;
  /** Aborts when the task belongs to this process no more, or when the process has no more time to end it. */
  readonly signal: AbortSignal;
  /** What the last checkpoint kept, through JSON; undefined before the first. */
  readonly progress: unknown;
  /** Throws LOST as soon as another process may run this task. */
  assertHeld: () => void;
  /**
   * Keeps `progress`: a successor begins with it. Resolves once Redis has it. Throws LOST when the task was
   * lost (nothing is kept then), CLIENT_CLOSED when the runner is closing: it is kept, and the run goes on elsewhere.
   */
  checkpoint: (progress: unknown) => Promise<void>;
  /**
   * Runs `work` and keeps its result (as JSON) as this step's acknowledgement; a step that was acknowledged
   * before does not run again, its result is returned. Names are unique within a run. Throws what `work` throws,
   * LOST and CLIENT_CLOSED as `checkpoint` does, BAD_OPTIONS for a name used twice.
   */
  step: <T>(name: string, work: (step: TaskStep) => Promise<T> | T) => Promise<T>;
}

export interface TaskStep {
  readonly fence: number;
  readonly signal: AbortSignal;
}

/** A closed set. `waiting` = triggered and not begun, or to be tried again; `running` = begun and not ended. */
export type TaskRunState = 'waiting' | 'running' | 'done' | 'failed';

/** What is kept of a run. Times in epoch ms by Redis's clock. */
export interface TaskRunStatus {
  task: string;
  id: string;
  state: TaskRunState;
  payload: unknown;
  attempt: number;
  takeovers: number;
  /** Acknowledged checkpoints and steps so far. */
  acknowledged: number;
  progress: unknown;
  /** Results of the acknowledged steps by name. */
  steps: Record<string, unknown>;
  /** What the work resolved with, once done. */
  result: unknown;
  /** Why the last attempt, or the run, failed. */
  error: string | null;
  /** `<instance>:<task>` of the lock under which it ran last, and its fence. */
  runner: string | null;
  fence: number | null;
  triggeredAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

/** What a runner says about what happens in this process. */
export interface TaskEvent {
  event:
    | 'started'
    | 'taken-over'
    | 'acknowledged'
    | 'done'
    | 'retrying'
    | 'failed'
    /** The task was lost while it ran here; what ran here acknowledges nothing any more. */
    | 'lost'
    /** The runner closes: the run goes on elsewhere from its last checkpoint. */
    | 'handed-on'
    /** Redis or the lock client failed; the runner tries again by itself. */
    | 'error';
  /** Null for an error of the connection that all tasks listen on. */
  task: string | null;
  id?: string;
  attempt?: number;
  fence?: number;
  /** The step's name; absent for a checkpoint. */
  step?: string;
  error?: unknown;
}

export interface TaskRunner extends AsyncDisposable {
  /** Begins to run tasks here. A second call does nothing. A process that only triggers never calls it. */
  start: () => Promise<void>;
  /**
   * Asks for one run of a task, by any process. With an `id` that is known (as long as its record is kept) it
   * does nothing, so that a caller who got no answer asks again. `created` tells whether this call made the run;
   * a command that ioredis had to send twice may say false of its own. Throws BAD_OPTIONS for an unknown task or
   * a payload that is no JSON, REDIS_….
   */
  trigger: (
    name: string,
    payload?: unknown,
    options?: { id?: string },
  ) => Promise<{ id: string; created: boolean }>;
  /** Null for a run that never was, or whose record is no longer kept. Throws BAD_OPTIONS, REDIS_…. */
  status: (name: string, id: string) => Promise<TaskRunStatus | null>;
  /** Returns the function that stops listening. A listener that throws is not caught. */
  on: (listener: (event: TaskEvent) => void) => () => void;
  /**
   * Ends at the running runs' next checkpoint or step and hands them on; after `graceMs` (default 5 000) their
   * signals abort and the tasks are given up as they are. Closes what the runner opened, not `client` or `redis`.
   */
  close: (options?: { graceMs?: number }) => Promise<void>;
}
