import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '@/test/support/source-tree';

/** A process that changes a configuration over and over; see writer-process.ts for what it says. */
export interface WriterProcess {
  child: ChildProcess;
  said: string[][];
  kill: () => Promise<void>;
}

export interface WriterFleet {
  start: (name: string, editMs: number) => WriterProcess;
  stop: () => Promise<void>;
}

/** Bundles the writer once; its processes speak to the Redis at `port`. */
export async function createWriterFleet(port: number): Promise<WriterFleet> {
  const program = join(ROOT, 'node_modules/.cache/lockscope-test/hot-config/writer.js');
  await build({
    entryPoints: [join(import.meta.dirname, 'writer-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@': ROOT },
    logLevel: 'silent',
  });
  const writers: WriterProcess[] = [];
  return {
    start: (name, editMs) => {
      const writer = startWriter([program, `${port}`, name, `${editMs}`]);
      writers.push(writer);
      return writer;
    },
    stop: async () => {
      await Promise.all(writers.map(async ({ kill }) => await kill()));
    },
  };
}

function startWriter(args: string[]): WriterProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // Not 'exit': what it said last may still be on its way then.
  const closed = once(child, 'close');
  const said: string[][] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    said.push(...lines.map((line) => line.split(' ')));
  });
  return {
    child,
    said,
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
