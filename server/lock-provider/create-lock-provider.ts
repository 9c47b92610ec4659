import { createLockClient } from '@/lib/lock/index';
import type { Lock, LockClient, LockClientOptions } from '@/lib/lock/contract';
import { ConfigError, type Settings } from '@/server/config';
import { connectForLocks, type LockConnection } from './connection';
import type { EventLockOptions, LockKeyEvent, LockProvider, LockProviderOptions } from './contract';
import { createEventNames } from './event-names';
import { stderrLog } from './stderr-log';

/**
 * A lock client from settings that were read already. Throws BAD_SETTING for a provider that is disabled,
 * TARGET_UNAVAILABLE for a Redis that cannot be reached.
 */
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
