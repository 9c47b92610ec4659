import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '@/bin/bootstrap/root.js';
import type { Bought, FromBuyers, Job, ToBuyers } from '@/test/perf/stock/job';

const PROGRAM = join(ROOT, 'dist', 'perf', 'bench-stock-worker.js');

export interface Buyers {
  /** Resolves when the process has bought its first unit and waits. */
  ready: Promise<unknown>;
  /** Starts buying; resolves when the stock is sold out. */
  buy: () => Promise<Bought>;
  stop: () => Promise<void>;
}

/** A fresh process for one round, so that nothing of an earlier one is compiled or left in its heap. */
export function startBuyers(job: Job): Buyers {
  const child = fork(PROGRAM, { execArgv: ['--enable-source-maps'] });
  const send = (message: ToBuyers): void => void child.send(message);
  const exited = once(child, 'exit');
  const next = async (): Promise<FromBuyers> => {
    const message = once(child, 'message').then(([said]): FromBuyers => said);
    const early = exited.then(([code, signal]): FromBuyers => ({
      failed: `ended early (${String(code ?? signal)})`,
    }));
    const answer = await Promise.race([message, early]);
    if ('failed' in answer) throw new Error(`${job.kind}: ${answer.failed}`);
    return answer;
  };
  send({ job });
  return {
    ready: next(),
    buy: async () => {
      send({ go: true });
      const answer = await next();
      if (!('bought' in answer)) throw new Error('the answer to an order to buy was expected');
      return answer.bought;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
