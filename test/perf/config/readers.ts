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
  const children = Array.from({ length: processes }, () => fork(PROGRAM));
  const stop = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        const exited = once(child, 'exit');
        if (child.connected) child.disconnect();
        if (child.exitCode === null) await exited;
      }),
    );
  };
  const begun = Promise.all(
    children.map(async (child) => {
      const ready = answerOf(child, (message) => 'ready' in message || null);
      child.send({ ...job, readers });
      await ready;
    }),
  );
  try {
    await begun;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    updated: async (change) => {
      const answers = children.map((child) =>
        answerOf(child, (message) =>
          'change' in message && message.change === change ? message.tookMs : null,
        ),
      );
      return (await Promise.all(answers)).flat();
    },
    stop,
  };
}

async function answerOf<T>(
  child: ChildProcess,
  pick: (message: FromReaders) => T | null,
): Promise<T> {
  return await new Promise((resolve, reject) => {
    const overdue = setTimeout(() => reject(new Error('readers gave no answer')), LONGEST_MS);
    const hear = (message: FromReaders): void => {
      if ('failed' in message) reject(new Error(message.failed));
      const answer = pick(message);
      if (answer === null) return;
      clearTimeout(overdue);
      child.off('message', hear);
      resolve(answer);
    };
    child.on('message', hear);
    child.once('exit', () => reject(new Error('a process of readers ended')));
  });
}
