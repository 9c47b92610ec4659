import { spawn, type ChildProcess } from 'node:child_process';
import { CodedError } from '@/lib/protocol/errors';
import type { Env } from '@/server/config';
import { codeOfSignal, type SignalRelay } from './signal-relay';

/** After SIGTERM a child that goes on without its lock is given this long. */
const KILL_AFTER_MS = 5000;

export interface GuardedChild {
  command: string;
  args: readonly string[];
  env: Env;
  /** Aborts when the lock is lost: the child must not go on. */
  lost: AbortSignal;
  /** The signals that we get, which are the child's. */
  relay: SignalRelay;
}

/**
 * Runs a command with our input and output while a lock is held, passes signals on to it and resolves to its
 * exit code (128 and the number for a signal). When the lock is lost the child gets SIGTERM, and SIGKILL if it
 * goes on.
 * Rejects with NOT_FOUND or FORBIDDEN when the command cannot be started.
 */
export async function runGuarded(guarded: GuardedChild): Promise<number> {
  const { command, args, env, lost, relay } = guarded;
  // A group of its own is reached with all that the command started. A terminal's keys reach only the group
  // that they are typed for, which then must be ours.
  const hasTerminal = process.stdin.isTTY === true;
  const options = { stdio: 'inherit', env: asProcessEnv(env), detached: !hasTerminal } as const;
  const child = spawn(command, args, options);
  let killTimer: NodeJS.Timeout | null = null;
  const send = (name: NodeJS.Signals): void => {
    if (hasTerminal || child.pid === undefined) child.kill(name);
    else signalGroup(child.pid, name);
  };
  const stop = (): void => {
    send('SIGTERM');
    killTimer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS);
  };
  const forward = (name: NodeJS.Signals): void => {
    if (hasTerminal && (name === 'SIGINT' || name === 'SIGQUIT')) return;
    send(name);
  };
  relay.passTo(forward);
  try {
    const ended = exitCodeOf(child, command);
    if (lost.aborted) stop();
    else lost.addEventListener('abort', stop, { once: true });
    return await ended;
  } finally {
    lost.removeEventListener('abort', stop);
    if (killTimer) clearTimeout(killTimer);
    relay.passTo(null);
  }
}

function signalGroup(leader: number, name: NodeJS.Signals): void {
  try {
    process.kill(-leader, name);
  } catch (error) {
    // All of them have ended by themselves, which the exit tells.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Next declares NODE_ENV to be always there, which no other program promises. */
const asProcessEnv = (env: Env): NodeJS.ProcessEnv => env as NodeJS.ProcessEnv;

function exitCodeOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(notStarted(command, error)));
    child.once('exit', (code, signal) => resolve(code ?? (signal ? codeOfSignal(signal) : 1)));
  });
}

const WHY_NOT_STARTED: Record<string, readonly ['FORBIDDEN' | 'NOT_FOUND', string]> = {
  EACCES: ['FORBIDDEN', 'it is no program that this user may run'],
  ENOENT: ['NOT_FOUND', 'there is no such program'],
};

function notStarted(command: string, error: NodeJS.ErrnoException): CodedError {
  const [code, why] = WHY_NOT_STARTED[error.code ?? ''] ?? (['NOT_FOUND', error.message] as const);
  return new CodedError(code, `${command} cannot be started: ${why}.`);
}
