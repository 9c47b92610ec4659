import { randomUUID } from 'node:crypto';
import type { Lock } from '../contract.js';
import { LockError, LockLostError } from '../errors.js';
import { fromRedis } from '../from-redis.js';
import { checkNames } from '../known-options.js';
import { runScript } from '../scripts/run-script.js';
import {
  BEGIN,
  COMMIT,
  configKey,
  configLock,
  fromFields,
  INLINE_LIMIT,
  type ConfigText,
} from './config-wire.js';
import type { ConfigSnapshot, ConfigWriter, ConfigWriterOptions } from './contract.js';

interface Begun {
  stored: ConfigText | null;
  /** Owner when the lock was seen beside the configuration, and so must be there at the end. */
  mustHold: string;
}

/** See `README.md`. Opens no connection and needs no closing. */
export function createConfigWriter<T = unknown>(options: ConfigWriterOptions<T>): ConfigWriter<T> {
  checkNames(options, ['client', 'redis', 'name', 'validate']);
  const { client, redis, name } = options;
  const lockKey = client.keyOf(configLock(name));
  const key = configKey(lockKey);

  const run = async (script: typeof BEGIN, words: string[]): Promise<unknown[]> => {
    try {
      const answer = await runScript(redis, script, [2, key, lockKey, ...words]);
      return Array.isArray(answer) ? answer : [];
    } catch (error) {
      throw fromRedis(error);
    }
  };

  const begin = async (lock: Lock): Promise<Begun> => {
    const [ok, held, ...fields] = await run(BEGIN, [`${lock.fence}`, lock.owner]);
    if (ok !== 1) throw superseded(key, lock, `${held}`);
    return {
      stored: fromFields(fields.map((field) => (typeof field === 'string' ? field : null))),
      mustHold: held === 1 ? lock.owner : '',
    };
  };

  const commit = async (
    lock: Lock,
    begun: Begun,
    text: string,
  ): Promise<{ version: number; at: number }> => {
    const [ok, ...facts] = await run(COMMIT, [
      `${lock.fence}`,
      `${begun.stored?.version ?? 0}`,
      randomUUID(),
      begun.mustHold,
      text,
      lock.businessId ?? '',
      `${INLINE_LIMIT}`,
    ]);
    if (ok === 1) return { version: Number(facts[0]), at: Number(facts[1]) };
    if (ok === 0) throw superseded(key, lock, `${facts[0]}`);
    if (ok === -1) {
      throw lost(key, lock, 'superseded', `it became version ${facts[0]} meanwhile`);
    }
    throw lost(key, lock, 'revoked', 'its global lock was lost or taken away meanwhile');
  };

  const publish = async (lock: Lock, begun: Begun, next: T): Promise<ConfigSnapshot<T>> => {
    const content = checked(options, key, next);
    const text = textOf(key, content);
    lock.assertHeld();
    return { ...(await commit(lock, begun, text)), content };
  };

  return {
    key,
    change: (edit, acquire = {}) =>
      client.using(configLock(name), acquire, async (lock) => {
        const begun = await begin(lock);
        const current = begun.stored && checked(options, key, JSON.parse(begun.stored.text));
        return await publish(lock, begun, await edit(current, lock));
      }),
    replace: (content, acquire = {}) =>
      client.using(configLock(name), acquire, async (lock) =>
        publish(lock, await begin(lock), content),
      ),
  };
}

/** Without `validate` the caller's type is taken at its word. */
function checked<T>(options: ConfigWriterOptions<T>, key: string, content: unknown): T {
  if (!options.validate) return content as T;
  try {
    return options.validate(content);
  } catch (error) {
    const said = error instanceof Error ? error.message : `${error}`;
    throw new LockError(
      'BAD_OPTIONS',
      `The configuration ${options.name} was not changed: ${said}`,
      { key, name: options.name },
      error,
    );
  }
}

function textOf(key: string, content: unknown): string {
  const text: string | undefined = JSON.stringify(content);
  if (text !== undefined) return text;
  throw new LockError(
    'BAD_OPTIONS',
    `The configuration at ${key} was not changed: JSON has no way to say ${typeof content}.`,
    { key },
  );
}

const lost = (key: string, lock: Lock, reason: string, why: string): LockLostError =>
  new LockLostError(`The configuration at ${key} was not changed: ${why}.`, {
    key: lock.key,
    config: key,
    owner: lock.owner,
    fence: lock.fence,
    reason,
  });

const superseded = (key: string, lock: Lock, greater: string): LockLostError =>
  lost(key, lock, 'superseded', `a writer with the greater fence ${greater} began meanwhile`);
