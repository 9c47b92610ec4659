import { createLockClient } from '@/lib/lock/index';
import type {
  AcquireOptions,
  Lock,
  Lockable,
  LockClient,
  LockClientOptions,
} from '@/lib/lock/contract';
import { ConfigError, environment, loadSettings, type Env, type Settings } from '@/server/config';
import { connectForLocks, type LockConnection } from './connection';
import { createEventNames, type LockKeyEvent } from './event-names';
import { stderrLog, type Log } from './stderr-log';

export type { LockKeyEvent } from './event-names';

export interface LockProviderOptions {
  /** Path of the YAML file; default `LOCKSCOPE_CONFIG`, else `config/lock.yaml`. */
  configPath?: string;
  /** Instead of the process's environment, which wins over the file. */
  env?: Env;
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

/**
 * Reads the settings, connects and makes a lock client that waits at most `lock_timeout_ms`. Throws BAD_SETTING
 * for a setting that cannot be used or a provider that is disabled, TARGET_UNAVAILABLE for a Redis that cannot
 * be reached. What the client demands of Redis is found out at the first acquire.
 */
export async function openLockProvider(options: LockProviderOptions = {}): Promise<LockProvider> {
  const { configPath, env = environment() } = options;
  const settings = loadSettings(
    configPath === undefined ? env : { ...env, LOCKSCOPE_CONFIG: configPath },
  );
  return await createLockProvider(settings, options);
}

/** The same from settings that were read already. */
export async function createLockProvider(
  settings: Settings,
  options: Omit<LockProviderOptions, 'configPath' | 'env'> = {},
): Promise<LockProvider> {
  const { provider } = settings;
  if (!provider.enabled) {
    throw new ConfigError(
      `${provider.file}: redis-lock-provider.enabled is false, so that no lock is given; set it to true.`,
    );
  }
  const log = options.log ?? stderrLog(process.stderr);
  const names = createEventNames({
    templates: [options.templates ?? provider.lockKeyTemplates].flat(),
    file: provider.file,
  });
  const connection = await connectForLocks(settings.redis.url, log);
  const client = await clientOn(connection, {
    allowInsecure: settings.allowInsecureRedis,
    ...options.client,
    waitMs: provider.lockTimeoutMs,
    log,
  });
  const nameFor: LockProvider['nameFor'] = (event, template) => names.of(event, template);
  const close = async (): Promise<void> => {
    await client.close();
    await connection.close();
  };
  const using = async <T>(
    event: LockKeyEvent,
    given: EventLockOptions | ((lock: Lock) => Promise<T> | T),
    work?: (lock: Lock) => Promise<T> | T,
  ): Promise<T> => {
    if (typeof given === 'function') return await client.using(nameFor(event), given);
    if (work === undefined) throw new TypeError('using(event, options, work) needs the work.');
    const { template, ...acquire } = given;
    return await client.using(nameFor(event, template), acquire, work);
  };
  return {
    client,
    nameFor,
    lockFor: (event, template) => client.mutex(nameFor(event, template)),
    using,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Options that the client refuses must not leave the connection open. */
async function clientOn(
  connection: LockConnection,
  options: Omit<LockClientOptions, 'redis'>,
): Promise<LockClient> {
  try {
    return createLockClient({ ...options, redis: connection.redis });
  } catch (error) {
    await connection.close();
    throw error;
  }
}
