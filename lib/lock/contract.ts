import type { Cluster, Redis } from 'ioredis';

/** A connection that its owner made: the client sends commands on it and duplicates it to listen. */
export type RedisConnection = Redis | Cluster;

/** What a client says about what happens, for metrics and tests. Durations in ms. */
export interface LockEvent {
  event:
    | 'waiting'
    | 'granted'
    | 'released'
    | 'timed-out'
    | 'cancelled'
    | 'lost'
    | 'refused'
    | 'error';
  key: string;
  owner: string;
  /** Who held the lock when the wait began, where Redis told. */
  holder?: string;
  waitedMs?: number;
  heldMs?: number;
  fence?: number;
  businessId?: string;
  error?: Error;
}

export interface LockClientOptions {
  /** One Redis (or Cluster). Give this or `nodes`. */
  redis?: RedisConnection;
  /** Three or more independent Redis servers, an odd number: Redlock. */
  nodes?: Redis[];
  /** Before every lock's name; default `qoder:lock:`. */
  prefix?: string;
  /** A business line: its locks are `<prefix><namespace>:<name>`, its reports and limits its own. */
  namespace?: string;
  /** Lease, renewed at every third while the lock is held. Default 60 000, at least 100. */
  ttlMs?: number;
  /** How long an acquire waits unless it says otherwise. Default 30 000; `Infinity` is allowed. */
  waitMs?: number;
  /** FIFO among waiters (default), or `false`: whoever comes first when the lock is free. */
  fair?: boolean;
  /** Name of the application, shown with its locks. Default: the name of the running script. */
  app?: string;
  /** What is written to the report stream: nothing, operations that waited (default), or every one. */
  reports?: 'off' | 'contended' | 'all';
  /** Attempts beyond these fail at once with RATE_LIMITED. None by default. */
  limits?: {
    /** Attempts a second of this client. */
    attemptsPerSecond?: number;
    /** Attempts a second of all clients of the namespace together, counted in Redis. */
    namespaceAttemptsPerSecond?: number;
  };
  /** Takes lease lengths from what the console recommends, within these bounds. Off by default. */
  adaptiveLease?: { minMs: number; maxMs: number };
  /** Accepts a Redis without access control; for development. Default false. */
  allowInsecure?: boolean;
  /** Gets one line where something is worth one (`WAITING_FOR_LOCK …`); `console` fits. Default: silence. */
  log?: { info: (line: string) => void; warn: (line: string) => void };
}

export interface AcquireOptions {
  /** Lease, renewed at every third while the lock is held. Default: the client's. */
  ttlMs?: number;
  /** How long to wait; 0 = not at all. Default: the client's. */
  waitMs?: number;
  /** FIFO among waiters, or `false` to pass them by. Default: the client's. */
  fair?: boolean;
  /** Ends the wait; the error's code is then ABORTED and its cause the signal's reason. */
  signal?: AbortSignal;
  /** The business serial number that reports and the audit trail tie this hold to. */
  businessId?: string;
}

/** One hold. `await using lock = …` releases it at the end of the block. */
export interface Lock extends AsyncDisposable {
  /** As it was asked for. */
  readonly name: string;
  /** The key in Redis. */
  readonly key: string;
  /** `<instance>:<task>`, the field in the hash. */
  readonly owner: string;
  /** Strictly increasing for each new hold of this lock. Give it to the resource, which refuses smaller ones. */
  readonly fence: number;
  /** How many times this task holds the lock, this one included. */
  readonly depth: number;
  /** Length of the lease that renewals set. */
  readonly ttlMs: number;
  readonly businessId: string | null;
  /** From the call to the grant, by this process's clock. */
  readonly waitedMs: number;
  /** What is left of the lease by this process's clock, on the safe side; 0 once it is over. */
  readonly remainingMs: number;
  /** False from the moment it is released, lost, or past its lease, even while no timer could run. */
  readonly isHeld: boolean;
  /** Aborts with a {@link LockLostError} as soon as the lease is lost or revoked; `aborted` is true at once after a pause. */
  readonly signal: AbortSignal;
  /** Throws LOST when the lease is over or taken away, NOT_HELD when it was released. */
  assertHeld: () => void;
  /** Sets the lease anew, to `ttlMs` (which renewals keep) or the present length. Throws LOST, NOT_HELD. */
  extend: (ttlMs?: number) => Promise<void>;
  /** Gives the lock up; a second call does nothing. Throws LOST when the lease was over before. */
  release: () => Promise<void>;
}

/** Something that can be locked: a mutex, one side of a read-write lock, a semaphore's permit, several at once. */
export interface Lockable {
  /** Throws ACQUISITION_TIMEOUT, ABORTED, RATE_LIMITED, WRONG_TYPE, REDIS_…, QUORUM_NOT_REACHED, CLIENT_CLOSED. */
  acquire: (options?: AcquireOptions) => Promise<Lock>;
  /** Null when it cannot be had at once. */
  tryAcquire: (options?: Omit<AcquireOptions, 'waitMs'>) => Promise<Lock | null>;
  /**
   * Holds it while `work` runs; inside, the same task may take it again. Rejects with the work's error, or
   * with LOST when the lease was lost before the work ended.
   */
  using: Using;
}

export interface Using {
  <T>(work: (lock: Lock) => Promise<T> | T): Promise<T>;
  <T>(options: AcquireOptions, work: (lock: Lock) => Promise<T> | T): Promise<T>;
}

export interface LockClient extends AsyncDisposable {
  /** This client's uuid, the first part of every owner. */
  readonly instance: string;
  /** As {@link Lockable.acquire} of `mutex(name)`. Throws also EMPTY_KEY, BAD_OPTIONS. */
  acquire: (name: string, options?: AcquireOptions) => Promise<Lock>;
  /** As {@link Lockable.tryAcquire} of `mutex(name)`: null when it cannot be had at once. */
  tryAcquire: (name: string, options?: Omit<AcquireOptions, 'waitMs'>) => Promise<Lock | null>;
  /** As {@link Lockable.using} of `mutex(name)`: holds it while `work` runs. */
  using: {
    <T>(name: string, work: (lock: Lock) => Promise<T> | T): Promise<T>;
    <T>(name: string, options: AcquireOptions, work: (lock: Lock) => Promise<T> | T): Promise<T>;
  };
  /** One holder at a time. */
  mutex: (name: string) => Lockable;
  /** Readers together, or one writer. */
  readWrite: (name: string) => { read: Lockable; write: Lockable };
  /** `permits` holders at once; every user of the name gives the same number. */
  semaphore: (name: string, permits: number) => Lockable;
  /**
   * All of them or none, taken in one canonical order whatever the order given. Throws LOST where one was lost
   * while the rest was waited for.
   */
  multi: (names: readonly string[]) => Lockable;
  /**
   * Runs `work` as one task: what it acquires one after another may be acquired again inside. Side by side
   * (`Promise.all`) take locks by `using`: what `acquire` took belongs to all of `work`. Outside of `task` and
   * `using` every acquire is a task of its own.
   */
  task: <T>(work: () => Promise<T> | T) => Promise<T>;
  /** Returns the function that stops listening. What a listener throws is an uncaught exception of its own. */
  on: (listener: (event: LockEvent) => void) => () => void;
  /** The Redis key of a lock's name. Throws EMPTY_KEY. */
  keyOf: (name: string) => string;
  /** Releases what is held, ends the waits with CLIENT_CLOSED and closes what the client opened. */
  close: () => Promise<void>;
}
