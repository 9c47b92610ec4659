import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ROOT } from '@/test/support/source-tree';
import type { Ecosystem } from '@/test/interop/ecosystem';
import type {
  PeerAnswer,
  PeerError,
  PeerEvent,
  PeerLine,
  PeerOp,
  PeerOptions,
  PeerReady,
  PeerValue,
} from '@/test/interop/protocol';

/** What a library answered, and when its call returned (epoch ms by its own clock). */
export interface Answered {
  value: PeerValue;
  at: number;
}

/** A library's error, as the peer passed it on. */
export class LibraryError extends Error {
  readonly kind: PeerError['kind'];
  readonly at: number;

  constructor(error: PeerError, at: number) {
    super(`${error.name}: ${error.message}`);
    this.kind = error.kind;
    this.at = at;
  }
}

/** One client of one library in the peer. */
export interface PeerClient {
  ask: (op: PeerOp, name: string, options?: PeerOptions) => Promise<Answered>;
}

export interface Peer {
  ready: PeerReady;
  client: (library: string, name: string) => PeerClient;
  /** What libraries have told their applications by themselves so far. */
  events: readonly PeerEvent[];
  /** Ends it by the end of its stdin, by SIGKILL when that does not do. */
  stop: () => Promise<void>;
}

interface Open {
  resolve: (answer: Answered) => void;
  reject: (error: Error) => void;
}

const END_MS = 5000;

/** Starts the peer of an ecosystem on the Redis at that port of 127.0.0.1 and waits until it is ready. */
export async function startPeer(ecosystem: Ecosystem, port: number): Promise<Peer> {
  const { program, args, cwd = ROOT } = ecosystem.command(port);
  const child = spawn(program, [...args], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const open = new Map<number, Open>();
  const events: PeerEvent[] = [];
  let stderr = '';
  let fail: (error: Error) => void = () => undefined;
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk).slice(-10_000)));
  child.stdin.on('error', (error) => (stderr += `stdin: ${error.message}\n`));
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  void ended.then(() => {
    const error = new Error(`the ${ecosystem.id} peer has ended: ${stderr}`);
    fail(error);
    for (const each of open.values()) each.reject(error);
  });
  const ready = await new Promise<PeerReady>((resolve, reject) => {
    fail = reject;
    const late = (): void =>
      reject(
        new Error(
          `the ${ecosystem.id} peer is not ready after ${ecosystem.readyWithinMs} ms: ${stderr}`,
        ),
      );
    const timer = setTimeout(late, ecosystem.readyWithinMs);
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = readLine(text);
      if (!line) stderr += `stdout: ${text}\n`;
      else if ('ready' in line) {
        clearTimeout(timer);
        resolve(line);
      } else if ('event' in line) events.push(line);
      else settle(open, line);
    });
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  let lastId = 0;
  return {
    ready,
    events,
    client: (library, client) => ({
      ask: (op, name, options = {}) => {
        const id = ++lastId;
        const answer = new Promise<Answered>((resolve, reject) =>
          open.set(id, { resolve, reject }),
        );
        // Whoever awaits it hears of a failure; a test that fails before that does not.
        answer.catch(() => undefined);
        child.stdin.write(`${JSON.stringify({ id, op, library, client, name, options })}\n`);
        return answer;
      },
    }),
    stop: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Null for what is no line of the protocol: a library that prints to stdout. */
function readLine(text: string): PeerLine | null {
  if (!text.startsWith('{')) return null;
  try {
    // Written by our own peers, whose shape their tests find out.
    return JSON.parse(text) as PeerLine;
  } catch {
    // Kept with stderr by the caller, which shows it when something fails.
    return null;
  }
}

function settle(open: Map<number, Open>, answer: PeerAnswer): void {
  const asked = open.get(answer.id);
  open.delete(answer.id);
  if (answer.ok) asked?.resolve({ value: answer.value, at: answer.at });
  else asked?.reject(new LibraryError(answer.error, answer.at));
}
