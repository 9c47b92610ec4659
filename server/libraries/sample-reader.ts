import type { Redis } from 'ioredis';
import { said } from '@/lib/messages/in-english';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { isRefusal } from '@/server/redis/redis-error';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import { decodeScriptResult } from '@/server/watch/read-reply';
import { READ_SCRIPT, type KeyContent } from '@/server/watch/read-script';

/** Keys of one script, so that others get their turn in between. */
const KEYS_PER_SCRIPT = 100;

/** Reads some keys by the watch's own script, over an ordinary connection. */
export interface SampleReader {
  /**
   * What each key holds, in their order; null where it may not be read. `besideOf` names the keys to read with one.
   * Rejects with CAPABILITY_MISSING where no script may be run.
   */
  read: (
    redis: Redis,
    keys: readonly Bytes[],
    besideOf: (key: Bytes) => readonly Bytes[],
  ) => Promise<(KeyContent | null)[]>;
}

export function createSampleReader(): SampleReader {
  let command: 'EVAL_RO' | 'EVAL' = 'EVAL_RO';
  let keysPerScript = KEYS_PER_SCRIPT;

  const run = async (redis: Redis, args: (Buffer | number)[]): Promise<unknown> => {
    try {
      return await redis.callBuffer(command, [READ_SCRIPT, ...args]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (command === 'EVAL')
        throw new CodedError('CAPABILITY_MISSING', said('discover:no-script', {}));
      command = 'EVAL';
      return await run(redis, args);
    }
  };

  /** Null = a node of a cluster: from now on each key has a script of its own. */
  const runInOneSlot = async (redis: Redis, args: (Buffer | number)[]): Promise<unknown> => {
    try {
      return await run(redis, args);
    } catch (error) {
      if (keysPerScript === 1 || !(error instanceof Error)) throw error;
      if (!error.message.startsWith('CROSSSLOT')) throw error;
      keysPerScript = 1;
      return null;
    }
  };

  return {
    read: async (redis, keys, besideOf) => {
      const contents: (KeyContent | null)[] = [];
      while (contents.length < keys.length) {
        const batch = keys.slice(contents.length, contents.length + keysPerScript);
        const beside = batch.map(besideOf);
        const answer = await runInOneSlot(redis, argumentsOf(batch, beside));
        if (answer === null) continue;
        const reply = toRespValue(answer);
        const results = Array.isArray(reply) ? reply : [];
        for (const [i, names] of beside.entries()) {
          const result = results[i] ?? null;
          // Those before it filled the reply: it begins the next one.
          if (result === null && i > 0) break;
          const content = decodeScriptResult(result, names);
          contents.push(content instanceof RespError ? null : content);
        }
      }
      return contents;
    },
  };
}

/** As `READ_SCRIPT` takes them: no idle time, no queue, no fence. */
function argumentsOf(
  keys: readonly Bytes[],
  beside: readonly (readonly Bytes[])[],
): (Buffer | number)[] {
  const args: (Bytes | number)[] = [0];
  beside.forEach((names, i) => {
    if (names.length > 0) args.push(i + 1, '', '', '', '', names.length, ...names);
  });
  return [
    keys.length,
    ...[...keys, ...args].map((each) =>
      typeof each === 'number' ? each : Buffer.from(each, 'latin1'),
    ),
  ];
}

/** What ioredis makes of a reply, as our own reader would. */
function toRespValue(reply: unknown): RespValue {
  if (Buffer.isBuffer(reply)) return reply.toString('latin1');
  if (typeof reply === 'string' || typeof reply === 'number') return reply;
  if (Array.isArray(reply)) return reply.map(toRespValue);
  return null;
}
