import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A step that a process began. */
export interface Begun {
  pid: number;
  step: number;
  fence: number;
  /** performance.now() of this process when it was told. */
  at: number;
}

export interface Counters {
  /** The step begun last. */
  readonly last: Begun | null;
  /** The step that a process began last. */
  lastOf: (pid: number) => number;
  start: () => void;
  /** kill -9. Returns when it was sent. */
  kill: (pid: number) => number;
  /** The first step of a higher fence than this; rejects after ten seconds. */
  successor: (fence: number) => Promise<Begun>;
  stop: () => Promise<void>;
}

const LONGEST_MS = 10_000;

/** Processes of the worker bundled beside this program. */
export function createCounters(port: number): Counters {
  const children = new Map<number, ChildProcess>();
  const listeners = new Set<(begun: Begun) => void>();
  const steps = new Map<number, number>();
  let last: Begun | null = null;
  const hear = (begun: Begun): void => {
    last = begun;
    steps.set(begun.pid, begun.step);
    for (const listener of listeners) listener(begun);
  };
  return {
    get last() {
      return last;
    },
    lastOf: (pid) => steps.get(pid) ?? Number.NaN,
    start: () => {
      const program = join(import.meta.dirname, 'bench-takeover-worker.js');
      const child = spawn(process.execPath, [program, `${port}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const pid = child.pid ?? 0;
      children.set(pid, child);
      let rest = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const at = performance.now();
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const [step, fence] = line.split(' ').map(Number);
          hear({ pid, step: step ?? Number.NaN, fence: fence ?? Number.NaN, at });
        }
      });
    },
    kill: (pid) => {
      const at = performance.now();
      children.get(pid)?.kill('SIGKILL');
      children.delete(pid);
      return at;
    },
    successor: async (fence) => {
      const { promise, resolve, reject } = Promise.withResolvers<Begun>();
      const timer = setTimeout(() => reject(new Error('No takeover in ten seconds.')), LONGEST_MS);
      const listener = (begun: Begun): void => {
        if (begun.fence > fence) resolve(begun);
      };
      listeners.add(listener);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        listeners.delete(listener);
      }
    },
    stop: async () => {
      const ends = [...children.values()].map(async (child) => await once(child, 'exit'));
      for (const child of children.values()) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}
