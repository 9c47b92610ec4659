import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromReaders, Job } from './job';

const PROGRAM = join(import.meta.dirname, 'bench-config-reader-worker.js');
const LONGEST_MS = 60_000;

export interface Readers {
  /** What each reader took to have that change, in ms; resolves when the last has it. */
  updated: (change: number) => Promise<number[]>;
  stop: () => Promise<void>;
}

/** Starts processes that share the readers evenly, and waits until all of them read. */
export async function startReaders(job: Job, processes: number): Promise<Readers> {
  const readers = Math.floor(job.readers / processes);
  const started = Array.from({ length: processes }, () => startProcess({ ...job, readers }));
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(async (each) => await each.stop()));
  };
  try {
    await Promise.all(started.map(async ({ ready }) => await ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    updated: async (change) => {
      const answers = started.map(({ answer }) =>
        answer((said) => ('change' in said && said.change === change ? said.tookMs : null)),
      );
      return (await Promise.all(answers)).flat();
    },
    stop,
  };
}

function startProcess(job: Job) {
  const child = fork(PROGRAM);
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('a process of readers ended')));
  // Told through the answers that are raced with it.
  ended.catch(() => undefined);
  const answer = async <T>(pick: (said: FromReaders) => T | null): Promise<T> =>
    await Promise.race([answerOf(child, pick), ended]);
  const ready = answer((said) => ('ready' in said ? said : null));
  child.send(job);
  return {
    ready,
    answer,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

async function answerOf<T>(child: ChildProcess, pick: (said: FromReaders) => T | null): Promise<T> {
  return await new Promise((resolve, reject) => {
    const hear = (said: FromReaders): void => {
      if ('failed' in said) reject(new Error(said.failed));
      const picked = pick(said);
      if (picked === null) return;
      clearTimeout(overdue);
      child.off('message', hear);
      resolve(picked);
    };
    const overdue = setTimeout(() => reject(new Error('readers gave no answer')), LONGEST_MS);
    child.on('message', hear);
  });
}
