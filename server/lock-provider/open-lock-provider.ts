import { checkNames } from '@/lib/lock/known-options';
import { environment, loadSettings } from '@/server/config';
import type { LockProvider, LockProviderOptions } from './contract';
import { createLockProvider } from './create-lock-provider';

export type {
  EventLockOptions,
  LockKeyEvent,
  LockProvider,
  LockProviderOptions,
  Log,
} from './contract';

/**
 * Reads the settings, connects and makes a lock client that waits at most `lock_timeout_ms`. Throws BAD_OPTIONS, BAD_SETTING
 * for a setting that cannot be used or a provider that is disabled, TARGET_UNAVAILABLE for a Redis that cannot
 * be reached. What the client demands of Redis is found out at the first acquire.
 */
export async function openLockProvider(options: LockProviderOptions = {}): Promise<LockProvider> {
  checkNames(options, ['configPath', 'env', 'templates', 'log', 'client']);
  const { configPath, env = environment() } = options;
  const settings = loadSettings(
    configPath === undefined ? env : { ...env, LOCKSCOPE_CONFIG: configPath },
  );
  return await createLockProvider(settings, options);
}
