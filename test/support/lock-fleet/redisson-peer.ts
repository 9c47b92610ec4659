import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { REDISSON_JARS, REDISSON_SOURCE } from '@/bin/bootstrap/redisson';
import type { Peer } from '@/test/support/lock-fleet/peer';

export type RedissonKind = 'plain' | 'fair' | 'fenced' | 'read' | 'write';

export interface RedissonPeer extends Peer {
  /** The same JVM under another kind of lock. */
  of: (kind: RedissonKind) => Peer;
  /** Takes an RFencedLock and returns its token. */
  lockFenced: (actor: string, name: string) => Promise<number>;
  /** SIGKILL. */
  kill: () => Promise<void>;
}

interface Open {
  resolve: (value: string) => void;
  reject: (error: Error) => void;
}

/** Starts a JVM with Redisson on that Redis. */
export async function startRedisson(port: number): Promise<RedissonPeer> {
  const classes = join(REDISSON_JARS, '*');
  const child = spawn('java', ['-Xmx256m', '-cp', classes, REDISSON_SOURCE, `${port}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const open = new Map<number, Open>();
  const ended = watchEnd(child, open);
  const isReady = new Promise<string>((resolve, reject) => open.set(0, { resolve, reject }));
  createInterface({ input: child.stdout }).on('line', (line) => settle(open, line));
  await isReady;
  let lastId = 0;
  const ask = async (...words: [actor: string, verb: string, kind: string, name: string]) => {
    const id = ++lastId;
    const answer = new Promise<string>((resolve, reject) => open.set(id, { resolve, reject }));
    child.stdin.write(`${[id, ...words].join('\t')}\n`);
    return await answer;
  };
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  const of = (kind: RedissonKind): Peer => ({
    lock: async (actor, name) => void (await ask(actor, 'lock', kind, name)),
    tryLock: async (actor, name) => (await ask(actor, 'tryLock', kind, name)) === 'true',
    unlock: async (actor, name) => void (await ask(actor, 'unlock', kind, name)),
    stop,
  });
  return {
    ...of('plain'),
    of,
    lockFenced: async (actor, name) => Number(await ask(actor, 'lock', 'fenced', name)),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function settle(open: Map<number, Open>, line: string): void {
  const [id, outcome, value = ''] = line.split('\t');
  const asked = open.get(Number(id));
  open.delete(Number(id));
  if (outcome === 'ok') asked?.resolve(value);
  else asked?.reject(new Error(value));
}

async function watchEnd(child: ChildProcess, open: Map<number, Open>): Promise<void> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk));
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  for (const { reject } of open.values()) reject(new Error(`the JVM has ended: ${stderr}`));
}
