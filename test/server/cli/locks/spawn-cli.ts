import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';

export interface SpawnedCli {
  pid: number;
  out: () => string;
  err: () => string;
  /** Exit code, null after a signal. */
  exited: Promise<number | null>;
  signal: (name: NodeJS.Signals) => void;
}

/** The real program as a process of its own. */
export function spawnCli(env: Record<string, string>, ...args: string[]): SpawnedCli {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'lockscope.js'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk));
  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    exited: new Promise((resolve) => child.once('close', resolve)),
    signal: (name) => void child.kill(name),
  };
}
