import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';
import type { Job } from './worker-job';

/** What a worker said, split into words, oldest first. */
export type Said = string[];

export interface Worker {
  child: ChildProcess;
  pid: number;
  said: Said[];
  /** Waits for a line that begins with these words. */
  says: (...words: string[]) => Promise<Said>;
  kill: () => Promise<void>;
}

export interface Fleet {
  start: (job: Job) => Promise<Worker>;
  /** Everything that any worker ever said. */
  heard: (word: string) => Said[];
  stop: () => Promise<void>;
}

/** Bundles the worker, and returns what makes fleets of its processes. */
export async function bundleFleet(): Promise<() => Fleet> {
  const program = join(ROOT, 'node_modules/.cache/lockscope-test/task-runner/worker.js');
  await build({
    entryPoints: [join(import.meta.dirname, 'worker-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@': ROOT },
    logLevel: 'silent',
  });
  return () => createFleet(program);
}

function createFleet(program: string): Fleet {
  const workers: Worker[] = [];
  return {
    start: async (job) => {
      const worker = startWorker([program, JSON.stringify(job)]);
      workers.push(worker);
      await worker.says('ready');
      return worker;
    },
    heard: (word) => workers.flatMap(({ said }) => said.filter(([first]) => first === word)),
    stop: async () => {
      await Promise.all(workers.map(async ({ kill }) => await kill()));
    },
  };
}

function startWorker(args: string[]): Worker {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // Not 'exit': what it said last may still be on its way then.
  const closed = once(child, 'close');
  const said: Said[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    said.push(...lines.map((line) => line.split(' ')));
  });
  return {
    child,
    pid: child.pid ?? 0,
    said,
    says: async (...words) =>
      await until(`a worker says ${words.join(' ')}`, () =>
        said.find((line) => words.every((word, i) => line[i] === word)),
      ),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
