import { Redis } from 'ioredis';
import type { Lock } from '@/lib/lock/index';
import type {
  Answered,
  Ask,
  Failure,
  LockUnderTest,
  LoopPlan,
  ProcessSettings,
  Told,
  Verb,
} from '@/test/support/lock-fleet/messages';
import { createResource } from '@/test/support/lock-fleet/resource';
import { runLoops } from '@/test/support/lock-fleet/sections';

/** Exit code of a process in which an error was caught by nobody. */
export const UNCAUGHT = 70;

export type CreateLocks = (redis: Redis, settings: ProcessSettings) => LockUnderTest;

type Doing = { [V in Verb]: (told: Told<V>) => Promise<Answered<V>> };

const failureOf = (error: unknown): Failure => ({
  name: error instanceof Error ? error.name : 'none',
  code: error instanceof Error && 'code' in error ? String(error.code) : '',
  message: String(error instanceof Error ? error.message : error),
});

/** Settings come as the first argument, asks over the channel to the parent. */
export function runChild(createLocks: CreateLocks): void {
  process.on('unhandledRejection', endUncaught);
  process.on('uncaughtException', endUncaught);
  const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
  const verbs = createVerbs(createLocks, settings);
  process.on('message', (ask: Ask) => void answer(verbs, ask));
  process.send?.('ready');
}

function endUncaught(error: unknown): void {
  process.stderr.write(`nobody caught: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(UNCAUGHT);
}

async function answer(verbs: Doing, { id, verb, told }: Ask): Promise<void> {
  try {
    // The parent sends what the verb takes: both are typed by the same table.
    const doing = verbs[verb] as (told: unknown) => Promise<unknown>;
    process.send?.({ id, answer: await doing(told) });
  } catch (error) {
    process.send?.({ id, failure: failureOf(error) });
  }
}

function createVerbs(createLocks: CreateLocks, settings: ProcessSettings): Doing {
  const redis = new Redis({ port: settings.locksPort, host: '127.0.0.1' });
  const resourceRedis = new Redis({
    port: settings.resourcePort,
    host: '127.0.0.1',
    enableAutoPipelining: true,
  });
  const resource = createResource(resourceRedis);
  const locks = createLocks(redis, settings);
  const held = new Map<string, Lock>();
  let isEnding = false;
  let loops: Promise<void> = Promise.resolve();
  const lockOf = (as: string): Lock => {
    const lock = held.get(as);
    if (!lock) throw new Error(`no lock is kept as ${as}`);
    return lock;
  };
  const endLoop = async (): Promise<null> => {
    isEnding = true;
    await loops;
    return null;
  };
  return {
    loop: async (plan: LoopPlan) => {
      // The first attempt of all makes the connections: that is none that waits for 20 ms.
      await locks.using(`${settings.process}-begins`, { waitMs: 60_000 }, () => {});
      loops = runLoops({
        locks,
        resource,
        plan,
        process: settings.process,
        isEnding: () => isEnding,
      });
      return null;
    },
    endLoop,
    acquire: async ({ as, name, options }) => {
      const lock = await locks.acquire(name, options);
      held.set(as, lock);
      const { fence, owner, key, waitedMs } = lock;
      return { fence, owner, key, waitedMs };
    },
    look: async ({ as }) => {
      const { isHeld, signal, remainingMs, fence, depth } = lockOf(as);
      return { isHeld, aborted: signal.aborted, remainingMs, fence, depth };
    },
    release: async ({ as }) => {
      await lockOf(as).release();
      return null;
    },
    block: async ({ ms }) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      return null;
    },
    close: async () => {
      await endLoop();
      await locks.close();
      redis.disconnect();
      resourceRedis.disconnect();
      // The channel would keep the process alive; everything else has to have ended by itself.
      setImmediate(() => process.disconnect());
      return null;
    },
  };
}
