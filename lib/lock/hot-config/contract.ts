import type { AcquireOptions, Lock, LockClient, RedisConnection } from '../contract.js';
import type { LockError } from '../errors.js';

/** One version, whole. */
export interface ConfigSnapshot<T> {
  /** Grows with every change; taken from Redis's clock (epoch µs), but made for comparing only. */
  readonly version: number;
  /** Epoch ms of the change by Redis's clock. */
  readonly at: number;
  readonly content: T;
}

export interface ConfigWriterOptions<T> {
  /** Gives the global lock. */
  client: LockClient;
  /** Where the configuration lies. */
  redis: RedisConnection;
  name: string;
  /**
   * Checks (and may complete) what is read before a change and what a change makes; throws for what must not
   * be published. Give readers the same.
   */
  validate?: (content: unknown) => T;
}

export interface ConfigWriter<T> {
  /** Hash and channel of the configuration. */
  readonly key: string;
  /**
   * Changes it under the global lock: `edit` gets the present content (null before the first) and returns the
   * next, which must survive JSON. Returns what was published.
   *
   * Throws what acquiring throws; LOST when the lock was lost or another writer began meanwhile, and then
   * nothing was changed (with reason `unreachable` it may have been); BAD_OPTIONS for content that `validate`
   * refuses or JSON cannot say. Safe to call again.
   */
  change: (
    edit: (current: T | null, lock: Lock) => T | Promise<T>,
    options?: AcquireOptions,
  ) => Promise<ConfigSnapshot<T>>;
  /** Publishes `content` whatever stands there now, also where `validate` would refuse that. Throws as `change`. */
  replace: (content: T, options?: AcquireOptions) => Promise<ConfigSnapshot<T>>;
}

export interface ConfigReaderOptions<T> {
  name: string;
  /**
   * Makes of what was read what is used (checks it, compiles it, opens what it names) while the version before
   * stays in force; throws or rejects to keep it out. Default: takes it as it is.
   */
  validate?: (content: unknown) => T | Promise<T>;
  onChange?: ChangeListener<T>;
  /** Hears of a version that was kept out. */
  onRefused?: (refused: RefusedVersion) => void;
}

export type ChangeListener<T> = (now: ConfigSnapshot<T>, before: ConfigSnapshot<T> | null) => void;

export interface ConfigReader<T> {
  /** Hash and channel of the configuration. */
  readonly key: string;
  /**
   * What is in force; null before the first. Never a half change: take it once and use that object for a whole
   * piece of work, since after an await another may be in force.
   */
  readonly current: ConfigSnapshot<T> | null;
  /** The newest version when it was kept out, with why; null when the newest is in force. */
  readonly refused: RefusedVersion | null;
  /**
   * Resolves when Redis was read, with what is in force then; null when nothing was ever written. Waits for
   * Redis as long as that takes. Throws CONTENT_REFUSED, ABORTED, CLIENT_CLOSED.
   */
  ready: (options?: { signal?: AbortSignal }) => Promise<ConfigSnapshot<T> | null>;
  /** Resolves when `version` or a newer one is in force. Throws CONTENT_REFUSED, ABORTED, CLIENT_CLOSED. */
  waitFor: (version: number, options?: { signal?: AbortSignal }) => Promise<ConfigSnapshot<T>>;
  /** Called after each swap, in a microtask; a listener that throws is not caught. Returns how to stop it. */
  onChange: (listener: ChangeListener<T>) => () => void;
  close: () => void;
}

/** A version that was kept out: what was in force before stays. */
export interface RefusedVersion {
  version: number;
  at: number;
  /** CONTENT_REFUSED; `cause` = what `validate` or JSON threw. */
  error: LockError;
}

export interface ConfigFeedOptions {
  /** Read from and duplicated to listen; may be a replica. */
  redis: RedisConnection;
  /** As in the lock client's options. Default `qoder:lock:`. */
  prefix?: string;
  /** As in the lock client's options. */
  namespace?: string;
  /** How often versions are compared with Redis whatever was heard, in ms. Default 10,000, at least 100. */
  checkMs?: number;
  /** Makes known which version this process has; see {@link AcknowledgeOptions}. Off by default. */
  acknowledge?: AcknowledgeOptions;
  /** Gets what reading or listening failed with; both are tried again by themselves. */
  onError?: (error: LockError) => void;
}

/** One subscription of a process, however many readers and configurations it has. */
export interface ConfigFeed {
  /** Throws EMPTY_KEY, CLIENT_CLOSED. */
  reader: <T = unknown>(options: ConfigReaderOptions<T>) => ConfigReader<T>;
  /** What reading or listening last failed with; null while all is well. */
  readonly problem: LockError | null;
  /** Ends every reader and closes what the feed opened. */
  close: () => void;
}

export interface AcknowledgeOptions {
  /** Under which name this process is shown, for example `billing@host-7:4711`; two with one name count once. */
  as: string;
  /**
   * A new version is acknowledged at a random moment within so many ms (default 1,000), so that a fleet's
   * acknowledgements come as a stream and not as a blow: 1,000,000 processes within 60,000 are 16,700 a second.
   */
  withinMs?: number;
  /** Where to; needed where the feed reads from a replica. */
  redis?: RedisConnection;
}
