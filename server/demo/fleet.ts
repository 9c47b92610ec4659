import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Assignment } from './assignment';
import { endProcess } from './child-process';
import type { RedisAddress } from './service';
import type { ServiceName } from './services';

const PATIENCE_MS = 2000;

export interface FleetProcess {
  /** SIGKILL: nothing is released, nothing is said. */
  crash: () => void;
}

/** A worker hears that Redis has ended before we do; what it says of it then need not be said. */
const HELD_BACK_MS = 250;

/** The worker processes of the demo. Each ends by itself when the demo is gone. */
export class Fleet {
  readonly #address: RedisAddress;
  readonly #tell: (sentence: string) => void;
  readonly #children = new Set<ChildProcess>();
  #nextSeed = 1;
  #isOver = false;

  /** `tell` hears of a process that ends unasked. */
  constructor(address: RedisAddress, tell: (sentence: string) => void) {
    this.#address = address;
    this.#tell = tell;
  }

  /** One more process that runs those services. */
  start(name: string, services: ServiceName[]): FleetProcess {
    const seed = this.#nextSeed++;
    const child = this.#fork({ kind: 'work', name, services, seed, address: this.#address });
    let isWanted = false;
    child.once('exit', (code, signal) => {
      if (isWanted || this.#isOver) return;
      this.#tell(
        `the process ${name} ended (${signal ?? `code ${code}`}); the demo goes on without it`,
      );
    });
    return {
      crash: () => {
        isWanted = true;
        child.kill('SIGKILL');
      },
    };
  }

  /** A process that ends `pids` and removes `folder` should the demo be killed outright. */
  guard(pids: number[], folder: string): void {
    this.#fork({ kind: 'guard', pids, folder });
  }

  /** From now on nothing that a process says or that becomes of it is passed on. */
  silence(): void {
    this.#isOver = true;
  }

  async stop(): Promise<void> {
    this.silence();
    await Promise.all([...this.#children].map((child) => endProcess(child, PATIENCE_MS)));
  }

  #fork(assignment: Assignment): ChildProcess {
    const program = fileURLToPath(new URL('./demo-worker.js', import.meta.url));
    const child = fork(program, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--enable-source-maps'],
    });
    child.stderr?.on('data', (text: Buffer) => {
      setTimeout(() => {
        if (!this.#isOver) process.stderr.write(text);
      }, HELD_BACK_MS).unref();
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    child.send(assignment);
    return child;
  }
}
