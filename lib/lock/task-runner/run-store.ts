import type { RedisConnection } from '../contract.js';
import { LockError } from '../errors.js';
import { fromRedis } from '../from-redis.js';
import { runScript, type Script } from '../scripts/run-script.js';
import type { TaskRunStatus } from './contract.js';
import type { TaskKeys } from './keys.js';
import { parseRun } from './run-record.js';
import { ACKNOWLEDGE, BEGIN, LOOK, SCHEDULE, SETTLE, TRIGGER } from './scripts.js';

export interface NextRun {
  /** Redis's clock, epoch ms. */
  now: number;
  /** The run due first; null when none is waiting or running. */
  id: string | null;
  /** Ms until it is due; 0 or less: now. */
  dueInMs: number;
  /** The last run made by the interval has not ended. */
  isScheduled: boolean;
}

export interface BegunRun {
  status: TaskRunStatus;
  /** Another process left it running. */
  isTakenOver: boolean;
  /** Takeovers since something was last acknowledged. */
  stalled: number;
}

/** How a run leaves a runner. `value` is JSON, or the error's text. */
export type Settlement =
  | { state: 'done'; attempts: number; value: string; keepMs: number }
  | { state: 'failed'; attempts: number; value: string; keepMs: number }
  /** `value` null: nothing failed, the run goes on elsewhere. */
  | { state: 'waiting'; attempts: number; value: string | null; dueInMs: number };

/** The runs of one task in Redis. Every method throws REDIS_… . */
export interface RunStore {
  trigger: (id: string, payload: string) => Promise<boolean>;
  schedule: (id: string, dueAt: number) => Promise<boolean>;
  look: () => Promise<NextRun>;
  /** `LOST`: somebody with a higher fence began a run; `ENDED`: the run needs nobody any more. */
  begin: (
    id: string,
    hold: { fence: number; owner: string },
  ) => Promise<BegunRun | 'LOST' | 'ENDED'>;
  /** False when the run is another's by now. */
  acknowledge: (id: string, fence: number, kept: Acknowledgement) => Promise<boolean>;
  /** False when the run is another's by now. */
  settle: (id: string, fence: number, settlement: Settlement) => Promise<boolean>;
  status: (id: string) => Promise<TaskRunStatus | null>;
}

export interface Acknowledgement {
  number: number;
  /** `progress` or `step:<name>`. */
  field: string;
  /** JSON. */
  value: string;
}

export function createRunStore(redis: RedisConnection, keys: TaskKeys): RunStore {
  const { state, queue, channel } = keys;
  const run = async (
    script: Script,
    names: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> => {
    try {
      return await runScript(redis, script, [names.length, ...names, ...args.map(String)]);
    } catch (error) {
      throw fromRedis(error);
    }
  };
  return {
    trigger: async (id, payload) =>
      (await run(TRIGGER, [keys.run(id), queue], [id, payload, channel])) === 1,
    schedule: async (id, dueAt) =>
      (await run(SCHEDULE, [keys.run(id), queue, state], [id, dueAt, channel])) === 1,
    look: async () => parseNext(await run(LOOK, [queue, state], [])),
    begin: async (id, { fence, owner }) => {
      const reply = await run(BEGIN, [state, keys.run(id), queue], [fence, id, owner]);
      if (reply === 'LOST' || reply === 'ENDED') return reply;
      const [takenOver, flat] = listOf(reply);
      const fields = fieldsOf(flat);
      return {
        status: parseRun(keys.task, id, fields),
        isTakenOver: Number(takenOver) === 1,
        stalled: Number(fields.stalled ?? 0),
      };
    },
    acknowledge: async (id, fence, { number, field, value }) => {
      const args = [fence, number, field, value];
      return (await run(ACKNOWLEDGE, [state, keys.run(id)], args)) === 1;
    },
    settle: async (id, fence, settlement) => {
      const { state: next, attempts, value } = settlement;
      const field = value === null ? '' : next === 'done' ? 'result' : 'error';
      const ms = settlement.state === 'waiting' ? settlement.dueInMs : settlement.keepMs;
      const args = [fence, id, next, attempts, field, value ?? '', ms, channel];
      return (await run(SETTLE, [state, keys.run(id), queue], args)) === 1;
    },
    status: async (id) => {
      const fields = await redis.hgetall(keys.run(id)).catch((error: unknown) => {
        throw fromRedis(error);
      });
      return fields.state === undefined ? null : parseRun(keys.task, id, fields);
    },
  };
}

function parseNext(reply: unknown): NextRun {
  const [now, id, dueInMs, pending] = listOf(reply);
  return {
    now: Number(now),
    id: typeof id === 'string' && id !== '' ? id : null,
    dueInMs: Number(dueInMs),
    isScheduled: Number(pending) === 1,
  };
}

function listOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw new LockError(
    'REDIS_ERROR',
    'Redis answered a task script with something else than a list.',
    {
      reply,
    },
  );
}

function fieldsOf(reply: unknown): Record<string, string> {
  const words = listOf(reply).map(String);
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) fields[words[i] ?? ''] = words[i + 1] ?? '';
  return fields;
}
