import type {
  AcquireOptions,
  Lock,
  Lockable,
  LockClient,
  LockClientOptions,
} from '@/lib/lock/contract';

/** What a task was triggered with; templates read it as `${event.…}`. */
export type LockKeyEvent = Readonly<Record<string, unknown>>;

/** Gets one line at a time. */
export interface Log {
  info: (line: string) => void;
  warn: (line: string) => void;
}

export interface LockProviderOptions {
  /** Path of the YAML file; default `LOCKSCOPE_CONFIG`, else `config/lock.yaml`. */
  configPath?: string;
  /** Instead of the process's environment, which wins over the file. */
  env?: Record<string, string | undefined>;
  /** Instead of those of the file: the task's own `lock_key_template`, one or several. */
  templates?: string | readonly string[];
  /** Default: lines on stderr, such as `WAITING_FOR_LOCK key=… holder=… instance=…`. */
  log?: Log;
  /** Further options of the lock client; the file decides over `waitMs`. */
  client?: Omit<LockClientOptions, 'redis' | 'nodes' | 'log' | 'waitMs'>;
}

/** What an event's lock is taken with; `template` picks one where several are declared. */
export type EventLockOptions = AcquireOptions & { template?: string };

/** The section `redis-lock-provider` of the file, at work. */
export interface LockProvider extends AsyncDisposable {
  readonly client: LockClient;
  /** The name of the lock that the template gives for the event. Throws TEMPLATE_VARIABLE_MISSING, BAD_OPTIONS. */
  nameFor: (event: LockKeyEvent, template?: string) => string;
  /** The event's lock, to acquire. Throws as `nameFor`. */
  lockFor: (event: LockKeyEvent, template?: string) => Lockable;
  /** Holds the event's lock while `work` runs. Rejects as `nameFor` and as `Lockable.using`. */
  using: {
    <T>(event: LockKeyEvent, work: (lock: Lock) => Promise<T> | T): Promise<T>;
    <T>(
      event: LockKeyEvent,
      options: EventLockOptions,
      work: (lock: Lock) => Promise<T> | T,
    ): Promise<T>;
  };
  /** Releases what is held and closes the connections. */
  close: () => Promise<void>;
}
