import { createHash } from 'node:crypto';
import type { RedisConnection } from '../contract.js';

export interface Script {
  source: string;
  sha: string;
}

export const scriptOf = (source: string): Script => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
});

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');

/**
 * EVALSHA, and EVAL where the server does not know the script (yet, or any more): nothing has run then.
 * `rest` = number of keys, keys, arguments. Rejects as ioredis does.
 */
export function runScript(
  redis: RedisConnection,
  script: Script,
  rest: [keyCount: number, ...words: string[]],
): Promise<unknown> {
  return redis.evalsha(script.sha, ...rest).catch((error: unknown) => {
    if (isUnknown(error)) return redis.eval(script.source, ...rest);
    throw error;
  });
}
