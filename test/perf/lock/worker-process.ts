import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '@/bin/bootstrap/root.js';
import type { FromWorker, Job, ToWorker } from '@/test/perf/lock/job';

const PROGRAM = join(ROOT, 'dist', 'perf', 'bench-lock-worker.js');

export interface WorkerProcess {
  send: (message: ToWorker) => void;
  /** The next message. Rejects when the worker failed or ended without one. */
  next: () => Promise<FromWorker>;
  stop: () => Promise<void>;
}

/** Starts a fresh process for one job, so that nothing of an earlier client is compiled or left in its heap. */
export function startWorker(job: Job): WorkerProcess {
  const child = fork(PROGRAM, { execArgv: ['--enable-source-maps'] });
  const arrived: FromWorker[] = [];
  const changes = new EventEmitter();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('message', (message: FromWorker) => {
    arrived.push(message);
    changes.emit('change');
  });
  child.once('exit', () => changes.emit('change'));
  const next = async (): Promise<FromWorker> => {
    while (arrived.length === 0) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${job.client}: its process ended early`);
      }
      await once(changes, 'change');
    }
    const message = arrived.shift();
    if (!message || 'failed' in message) throw new Error(`${job.client}: ${message?.failed}`);
    return message;
  };
  const send = (message: ToWorker): void => void child.send(message);
  send({ job });
  return {
    send,
    next,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
