import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '@/test/support/source-tree';
import type { Answer, Ask, BuyerJob } from './buyer-job';

export interface BuyerProcess {
  /** Null when the process was killed before it answered. */
  ask: (ask: Omit<Ask, 'id'>) => Promise<Answer | null>;
  kill: () => Promise<void>;
  pause: () => void;
  resume: () => void;
}

export interface BuyerFleet {
  start: () => Promise<BuyerProcess>;
  stop: () => Promise<void>;
}

/** Bundles the program once and starts processes of it. */
export async function createBuyerFleet(job: BuyerJob): Promise<BuyerFleet> {
  const cache = join(ROOT, 'node_modules/.cache/lockscope-test');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'stock-'));
  const program = join(folder, 'buyer.js');
  await build({
    entryPoints: [join(import.meta.dirname, 'buyer-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@': ROOT },
    logLevel: 'silent',
  });
  const buyers: BuyerProcess[] = [];
  return {
    start: async () => {
      const child = fork(program, [JSON.stringify(job)]);
      await ready(child);
      const buyer = buyerOf(child);
      buyers.push(buyer);
      return buyer;
    },
    stop: async () => {
      await Promise.all(buyers.map(async ({ kill }) => await kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error('a process of buyers ended before it was ready')));
  });
}

function buyerOf(child: ChildProcess): BuyerProcess {
  const open = new Map<number, (answer: Answer | null) => void>();
  let lastId = 0;
  let hasEnded = false;
  const exited = once(child, 'exit');
  child.on('message', (answer: Answer) => {
    open.get(answer.id)?.(answer);
    open.delete(answer.id);
  });
  void exited.then(() => {
    hasEnded = true;
    for (const resolve of open.values()) resolve(null);
  });
  return {
    ask: async (ask) => {
      if (hasEnded) return null;
      const id = ++lastId;
      return await new Promise((resolve) => {
        open.set(id, resolve);
        // A process that was just killed closes its channel first: `exit` answers for it.
        child.send({ ...ask, id } satisfies Ask, () => undefined);
      });
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}
