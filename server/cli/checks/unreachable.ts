import { isCodedError } from '@/lib/protocol/errors';
import type { Settings } from '@/server/config';
import { fail, type CheckResult } from './check';

/** The finding of a Redis that cannot be used at all. Throws whatever is no TARGET_UNAVAILABLE. */
export function unreachable(error: unknown, { redis }: Pick<Settings, 'redis'>): CheckResult {
  if (!isCodedError(error) || error.code !== 'TARGET_UNAVAILABLE') throw error;
  return {
    id: 'connection',
    ...fail(error.message, remedyFor(error.details ?? {}, redis.setting)),
  };
}

function remedyFor(details: Record<string, unknown>, setting: string): string {
  if ('credentials' in details) {
    const field = setting.replace(/redis_url$/, 'redis_password');
    return field === setting
      ? `Correct user and password in ${setting}.`
      : `Correct ${field}, or the user in redis_url.`;
  }
  if ('noSuchDb' in details) {
    return `Have ${setting} name a db that this server has, the same in every instance.`;
  }
  return `Check ${setting}, the network between, and that Redis runs.`;
}
