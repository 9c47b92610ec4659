import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '@/test/support/free-port';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

export interface RunningDemo {
  url: string;
  /** The link that the console prints; good for one sign-in. */
  signInLink: string;
  /** Where it keeps its files; empty when it has cleaned up. */
  folder: string;
  /** Removes `folder` itself. */
  removeFolder: () => Promise<void>;
  /** A client on its Redis; the caller disconnects it. */
  connect: () => Promise<Redis>;
  output: () => string;
  pid: number;
  /** The exit code, once it has ended by itself or was stopped. */
  ended: Promise<number | null>;
  /** As Ctrl-C. Resolves to the exit code. */
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
}

/** Runs the built demo with that scenario and waits until the console is ready and a link is printed. */
export async function startDemo(scenario: string): Promise<RunningDemo> {
  const program = join(ROOT, 'dist', 'demo.js');
  if (!existsSync(program)) throw new Error('dist/demo.js is missing: run `npm run build` first');
  const port = `${await freePort()}`;
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-test-'));
  const child = spawn(process.execPath, [program, scenario, '--port', port], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return await exited;
  };
  try {
    const found = await until(
      'the demo is ready',
      () => {
        if (child.exitCode !== null) throw new Error(`the demo ended:\n${output}`);
        const url = /lockscope ready (http:\/\/\S+)/.exec(output)?.[1];
        const signInLink = /(http:\/\/\S+magic-link\/verify\S+)/.exec(output)?.[1];
        return url && signInLink ? { url, signInLink } : undefined;
      },
      100_000,
    );
    return {
      ...found,
      folder,
      removeFolder: async () => await rm(folder, { recursive: true, force: true }),
      connect: async () => await connectTo(folder),
      output: () => output,
      pid: child.pid ?? 0,
      ended: exited,
      stop: async () => await end('SIGINT'),
      kill: async () => void (await end('SIGKILL')),
    };
  } catch (error) {
    await end('SIGINT');
    throw new Error(`${String(error)}\n${output}`);
  }
}

/** The demo's Redis has a password and a port of its own, which stand in its settings. */
async function connectTo(folder: string): Promise<Redis> {
  const [own = ''] = (await readdir(folder)).filter((name) => name.startsWith('lockscope-demo-'));
  const settings = await readFile(join(folder, own, 'redis.conf'), 'utf8');
  const setting = (name: string): string =>
    new RegExp(`^${name} (.*)$`, 'm').exec(settings)?.[1] ?? '';
  return new Redis({ port: Number(setting('port')), password: setting('requirepass') });
}
