import type { Redis } from 'ioredis';
import { isRefusal } from '@/server/redis/redis-error';

/** A command as it would be sent; only its name, keys and channels count. */
export type Invocation = readonly string[];

/**
 * ARGV: for each invocation the number of its words, then the words. Returns 1 (may), 0 (may not) or
 * -1 (no such command) for each, or nothing where Redis is older than 7.0. Runs none of them.
 */
const SCRIPT = `
if not redis.acl_check_cmd then return {} end
local answers, at = {}, 1
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  local known, may = pcall(redis.acl_check_cmd, unpack(ARGV, at + 1, at + words))
  answers[#answers + 1] = known and (may and 1 or 0) or -1
  at = at + words + 1
end
return answers`;

export type Answer =
  | { may: boolean[] }
  /** Why it cannot be asked: the user may not run scripts, or Redis is older than 7.0. */
  | { untold: 'eval' | 'old' };

/**
 * For each group whether the connection's user may run every command of it; what the server does not know
 * counts as refused.
 */
export async function askWhatMayRun(
  redis: Redis,
  groups: readonly (readonly Invocation[])[],
): Promise<Answer> {
  const invocations = groups.flat();
  const words = invocations.flatMap((invocation) => [String(invocation.length), ...invocation]);
  try {
    const answers: unknown = await redis.call('EVAL', [SCRIPT, '0', ...words]);
    if (!Array.isArray(answers) || answers.length < invocations.length) return { untold: 'old' };
    let at = 0;
    const may = groups.map(({ length }) => {
      const ofGroup: unknown[] = answers.slice(at, (at += length));
      return ofGroup.every((answer) => answer === 1);
    });
    return { may };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { untold: 'eval' };
  }
}
