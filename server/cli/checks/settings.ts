import { parseLockTemplate } from '@/lib/lock/template';
import { fail, ok, unknown, warn, type SettingsCheck } from './check';

/** Retries closer together than this many lock timeouts meet the lock that the first try still holds. */
const RETRY_FACTOR = 1.5;
const SHORT_TIMEOUT_MS = 1_000;
const LONG_TIMEOUT_MS = 600_000;

export const enabled: SettingsCheck = {
  id: 'enabled',
  run: ({ provider }) =>
    provider.enabled
      ? ok('The lock provider is enabled.')
      : fail(
          `The lock provider is disabled: redis-lock-provider.enabled is false in ${provider.file}.`,
          `Set enabled: true in ${provider.file} and restart the services.`,
        ),
};

export const dbNamed: SettingsCheck = {
  id: 'db-number',
  run: ({ redis, provider }) => {
    if (redis.namesDb) return ok(`${redis.setting} names db ${redis.db}.`);
    const where = redis.setting.startsWith('LOCKSCOPE_') ? '' : `${provider.file}: `;
    return warn(
      `${where}${redis.setting} names no db number, so that db 0 is meant; an instance that names another locks for itself.`,
      `Write ${redis.displayUrl} (with user and password where needed) in every instance.`,
    );
  },
};

export const lockTimeout: SettingsCheck = {
  id: 'lock-timeout',
  run: ({ provider }) => {
    const { lockTimeoutMs, file } = provider;
    const said = `lock_timeout_ms is ${lockTimeoutMs}`;
    if (lockTimeoutMs < SHORT_TIMEOUT_MS) {
      return warn(
        `${said}: nearly every wait ends in LockAcquisitionTimeoutException.`,
        `Set it back in ${file} after the test, for example to 30000.`,
      );
    }
    if (lockTimeoutMs > LONG_TIMEOUT_MS) {
      return warn(
        `${said}: a task waits more than ten minutes before it says that the lock is not to be had.`,
        `Set it in ${file} to what a caller can wait, for example 30000.`,
      );
    }
    return ok(`${said}: an acquire waits at most ${lockTimeoutMs / 1000} s.`);
  },
};

export const retryDelay: SettingsCheck = {
  id: 'retry-delay',
  run: ({ provider }) => {
    const { lockTimeoutMs, retryDelayMs, file } = provider;
    const leastMs = Math.ceil(RETRY_FACTOR * lockTimeoutMs);
    const remedy = `Make the scheduler's retry delay, and retry_delay_ms in ${file}, at least ${leastMs} (${RETRY_FACTOR} × lock_timeout_ms).`;
    if (retryDelayMs === null) {
      return unknown(
        `retry_delay_ms is not given, so that it cannot be compared with lock_timeout_ms (${lockTimeoutMs}).`,
        `Write the scheduler's retry delay as retry_delay_ms into ${file}; it should be at least ${leastMs}.`,
      );
    }
    const said = `retry_delay_ms is ${retryDelayMs}, lock_timeout_ms ${lockTimeoutMs}`;
    if (retryDelayMs >= leastMs) return ok(`${said}: retries come after the lock is free.`);
    return retryDelayMs < lockTimeoutMs
      ? fail(
          `${said}: a retry comes while the try before it still holds or awaits the lock.`,
          remedy,
        )
      : warn(`${said}: a retry leaves the lock hardly any time to be released.`, remedy);
  },
};

export const templates: SettingsCheck = {
  id: 'lock-key-template',
  run: ({ provider }) => {
    const { lockKeyTemplates, file } = provider;
    if (lockKeyTemplates.length === 0) return ok('No lock_key_template is declared.');
    for (const template of lockKeyTemplates) {
      try {
        parseLockTemplate(template);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return fail(message, `Correct lock_key_template in ${file}.`);
      }
    }
    const bare = lockKeyTemplates.find((template) => template.startsWith('${'));
    if (bare !== undefined) {
      return warn(
        `The template "${bare}" begins with a variable: another kind of task with the same number would share its lock.`,
        `Put the kind of task before it in ${file}, like "order_sync:\${event.order_no}".`,
      );
    }
    const doubled = lockKeyTemplates.find(
      (template, at) => lockKeyTemplates.indexOf(template) < at,
    );
    if (doubled !== undefined) {
      return warn(`The template "${doubled}" is declared twice.`, `Keep one in ${file}.`);
    }
    const count = lockKeyTemplates.length;
    return ok(
      `${count === 1 ? 'The template names' : `All ${count} templates name`} a lock for each entity.`,
    );
  },
};

export const SETTINGS_CHECKS: readonly SettingsCheck[] = [
  enabled,
  dbNamed,
  lockTimeout,
  retryDelay,
  templates,
];
