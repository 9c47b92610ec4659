import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Target } from '@/lib/protocol/target';
import type { Bytes } from '@/lib/protocol/bytes';
import { isRefusal } from '@/server/redis/redis-error';
import { evalMissing, toError } from '@/server/queries/release-check';
import type { Watch } from '@/server/watch/watch-contract';

export interface ScriptCall {
  db: number;
  lua: string;
  keys: readonly Bytes[];
  args: readonly (Bytes | number)[];
}

/** A way to one Redis. */
export interface ScriptRunner {
  watch: Pick<Watch, 'commandConnection'> & { status: () => Pick<Target, 'missingRules'> };
}

const toArgument = (word: Bytes | number): Buffer | number =>
  typeof word === 'number' ? word : Buffer.from(word, 'latin1');

function parseReply(reply: unknown): { status: number; woken: number } {
  const [status, woken = -1] = Array.isArray(reply) ? reply : [];
  if (typeof status === 'number' && typeof woken === 'number') return { status, woken };
  throw new Error('a script of a lock format answered in an unknown shape');
}

/**
 * Runs a format's script by EVAL: one is run so seldom that EVALSHA would save nothing, and it needs one
 * permission less. Returns the script's numbers. Throws CAPABILITY_MISSING when Redis forbids it and
 * TARGET_UNAVAILABLE when it cannot be known whether it ran.
 */
export async function runScript(
  context: ScriptRunner,
  { db, lua, keys, args }: ScriptCall,
): Promise<{ status: number; woken: number }> {
  const connection = await context.watch.commandConnection(db);
  let reply: unknown;
  try {
    reply = await connection.call('EVAL', lua, keys.length, ...[...keys, ...args].map(toArgument));
  } catch (error) {
    if (isRefusal(error)) throw toError(evalMissing(context));
    const because = error instanceof Error ? error.message : String(error);
    throw new CodedError('TARGET_UNAVAILABLE', said('release:not-confirmed', { error: because }));
  }
  return parseReply(reply);
}
