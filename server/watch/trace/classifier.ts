import type { Bytes } from '@/lib/protocol/bytes';
import { Arguments, readHead, type LineHead } from './monitor-line';
import { judgeCommand } from './command-judge';
import { readOperation, type Operation } from './operation';
import { createScriptMemory, isScriptCall, readScript, type ScriptName } from './script';
import { judgeScript } from './script-judge';
import type { StreamState } from './stream-state';
import type { TracedLocks } from './traced-locks';

/** What one command, or one script, did to one lock. */
export type Deed = 'took' | 'failed' | 'renewed' | 'released' | 'looked' | 'waits';

export interface Seen {
  at: number;
  db: number;
  key: Bytes;
  client: string;
  deed: Deed;
  /** False: it follows from what was known of the lock, and not from the commands alone. */
  isObserved: boolean;
}

export interface ClassifierOptions {
  state: StreamState;
  traced: TracedLocks;
  /** Whose commands are left out: the console's own. */
  isOwn: (client: string) => boolean;
  onSeen: (seen: Seen) => void;
}

export interface Classifier {
  /** One line of MONITOR. */
  line: (line: string) => void;
  /** No more lines of the last script come. */
  flush: () => void;
  /** Commands of others so far, those inside scripts not counted. */
  readonly commands: number;
  /** Lines that are none of MONITOR's. */
  readonly unread: number;
  /** Redis's clock at the last line, epoch ms; 0 before the first. */
  readonly lastAt: number;
}

/** A script and what it has done so far, by lock. */
interface Running {
  script: ScriptName | null;
  at: number;
  db: number;
  client: string;
  byLock: Map<Bytes, Operation[]>;
}

const MOST_STEPS = 64;

/**
 * Tells from the lines of MONITOR who tried to take which lock, and whether it was taken. What a script does
 * comes as lines `[db lua]` right after its call, which alone has the client's address.
 */
export function createClassifier(options: ClassifierOptions): Classifier {
  const { state, traced, isOwn, onSeen } = options;
  const scripts = createScriptMemory();
  let running: Running | null = null;
  let commands = 0;
  let unread = 0;
  let lastAt = 0;

  const flush = (): void => {
    if (!running) return;
    const { script, at, db, client, byLock } = running;
    running = null;
    for (const [key, steps] of byLock) {
      const judged = judgeScript({ key: { db, key, at }, steps, script, scripts, state });
      if (judged) onSeen({ at, db, key, client, ...judged });
    }
  };

  const step = (head: LineHead, name: string, args: Arguments): void => {
    if (!running) return;
    const isWanted = (key: Bytes): boolean => traced.ofKey(head.db, key) !== null;
    const operation = readOperation(name, head, { args, isWanted });
    if (!operation) return;
    for (const named of operation.keys) {
      const lock = traced.ofKey(head.db, named);
      if (lock === null) continue;
      const steps = running.byLock.get(lock) ?? [];
      if (steps.length < MOST_STEPS) steps.push({ ...operation, keys: [named] });
      running.byLock.set(lock, steps);
    }
  };

  const single = (head: LineHead, name: string, args: Arguments): void => {
    const { at, db, from: client } = head;
    const isWanted = (key: Bytes): boolean => traced.ofKey(db, key) !== null;
    const operation = readOperation(name, head, { args, isWanted });
    if (!operation) return;
    if (operation.verb === 'flush') return state.forgetAll();
    if (operation.verb === 'listen') {
      for (const channel of operation.keys) {
        const lock = traced.ofChannel(channel);
        if (lock) onSeen({ at, ...lock, client, deed: 'waits', isObserved: true });
      }
      return;
    }
    for (const named of operation.keys) {
      const key = traced.ofKey(db, named);
      if (key === null) continue;
      const judged =
        operation.verb === 'block'
          ? { deed: 'waits' as const, isObserved: true }
          : key === named
            ? judgeCommand({ db, key, at }, operation, state)
            : null;
      if (judged) onSeen({ at, db, key, client, ...judged });
    }
  };

  return {
    line: (line) => {
      const head = readHead(line);
      if (!head) {
        unread++;
        return;
      }
      lastAt = head.at;
      const args = new Arguments(line, head.start);
      if (head.from === 'lua') {
        if (running) step(head, args.next()?.toLowerCase() ?? '', args);
        return;
      }
      flush();
      if (isOwn(head.from)) return;
      commands++;
      const name = args.next()?.toLowerCase() ?? '';
      if (!isScriptCall(name)) return single(head, name, args);
      const { at, db, from: client } = head;
      running = { script: readScript(name, args), at, db, client, byLock: new Map() };
    },
    flush,
    get commands() {
      return commands;
    },
    get unread() {
      return unread;
    },
    get lastAt() {
      return lastAt;
    },
  };
}
