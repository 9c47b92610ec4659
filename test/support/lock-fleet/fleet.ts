import { fork, type ChildProcess } from 'node:child_process';
import type {
  Answered,
  Ask,
  ProcessSettings,
  Reply,
  Told,
  Verb,
} from '@/test/support/lock-fleet/messages';

/** One process of a fleet. */
export interface FleetProcess {
  readonly name: string;
  readonly pid: number;
  /** Rejects with the child's error (`code` and message), or when the process ends before it has answered. */
  ask: <V extends Verb>(verb: V, told: Told<V>) => Promise<Answered<V>>;
  /** SIGKILL. */
  kill: () => Promise<void>;
  /** SIGSTOP, SIGCONT. */
  stop: () => void;
  resume: () => void;
  /** How it ended. */
  readonly ended: Promise<Ending>;
  readonly hasEnded: boolean;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it wrote to stderr. */
  stderr: string;
}

/** An error as the child saw it. */
export class ChildError extends Error {
  readonly code: string;
  constructor(name: string, code: string, message: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

interface Open {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** Starts the program and waits until it listens. */
export async function startProcess(path: string, settings: ProcessSettings): Promise<FleetProcess> {
  const child = fork(path, [JSON.stringify(settings)], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const open = new Map<number, Open>();
  const ended = watchEnd(child, open);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  let lastId = 0;
  const isReady = new Promise<void>((resolve, reject) => {
    child.on('message', (message: Reply | 'ready') => {
      if (message === 'ready') resolve();
      else settle(open, message);
    });
    void ended.then(({ stderr }) =>
      reject(new Error(`${settings.process} did not start: ${stderr}`)),
    );
  });
  await isReady;
  return {
    name: settings.process,
    pid: child.pid ?? 0,
    ask: async <V extends Verb>(verb: V, told: Told<V>) => {
      if (hasEnded) throw new Error(`${settings.process} has ended`);
      const id = ++lastId;
      const answer = new Promise<unknown>((resolve, reject) => open.set(id, { resolve, reject }));
      child.send({ id, verb, told } satisfies Ask);
      // The child answers what the table of verbs says.
      return (await answer) as Answered<V>;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended,
    get hasEnded() {
      return hasEnded;
    },
  };
}

async function watchEnd(child: ChildProcess, open: Map<number, Open>): Promise<Ending> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk));
  return await new Promise((resolve) => {
    child.once('close', (code, signal) => {
      for (const { reject } of open.values()) {
        reject(new Error(`the process ended (${signal ?? code}): ${stderr}`));
      }
      resolve({ code, signal, stderr });
    });
  });
}

function settle(open: Map<number, Open>, reply: Reply): void {
  const asked = open.get(reply.id);
  open.delete(reply.id);
  if ('answer' in reply) asked?.resolve(reply.answer);
  else {
    const { name, code, message } = reply.failure;
    asked?.reject(new ChildError(name, code, message));
  }
}
