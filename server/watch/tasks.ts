import type { SentenceId } from '@/lib/messages/sentence';
import { asClause } from '@/server/redis/redis-error';
import { every, type Ticker } from './ticker';

type FailingId = Extract<SentenceId, `failing:${string}`>;
/** The catalogue says of each that Lockscope could not do it. */
export type TaskName = FailingId extends `failing:${infer Name}` ? Name : never;

/** What runs again and again, and what of it keeps failing. */
export interface Tasks {
  /** Runs `work` every `ms` while active. A failure is kept as a problem until the task works again. */
  add: (name: TaskName, ms: number, work: () => Promise<void> | void) => void;
  /** Runs `work` once, under the same rule. Returns whether it worked. */
  attempt: (name: TaskName, work: () => Promise<void>) => Promise<boolean>;
  /** What fails now and why, a clause without a full stop, by name of the task. */
  readonly problems: ReadonlyMap<TaskName, string>;
  /** What failed on a connection that is gone says nothing of the next. */
  forget: () => void;
  stop: () => void;
}

/** `isActive` false = the connection is down: nothing runs, and what fails then is no news. */
export function createTasks(isActive: () => boolean): Tasks {
  const problems = new Map<TaskName, string>();
  const tickers: Ticker[] = [];
  let stopped = false;

  const fail = (name: TaskName, error: unknown): void => {
    if (stopped || !isActive()) return;
    problems.set(name, asClause(error instanceof Error ? error.message : String(error)));
  };

  return {
    problems,
    forget: () => problems.clear(),
    add: (name, ms, work) => {
      const guarded = async (): Promise<void> => {
        if (!isActive()) return;
        await work();
        problems.delete(name);
      };
      tickers.push(every(ms, guarded, (error) => fail(name, error)));
    },
    attempt: async (name, work) => {
      try {
        await work();
        problems.delete(name);
        return true;
      } catch (error) {
        fail(name, error);
        return false;
      }
    },
    stop: () => {
      stopped = true;
      for (const ticker of tickers) ticker.stop();
    },
  };
}
