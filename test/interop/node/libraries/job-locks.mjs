import { createRequire } from 'node:module';
import { Queue, Worker } from 'bullmq';
import { connect } from './connection.mjs';

const Bull = createRequire(import.meta.url)('bull');
const JOB = 'job-a';

/** A job that runs until it is told to end, and who is told when it runs. */
function startJob() {
  let start;
  let end;
  const running = new Promise((resolve) => (start = resolve));
  const ended = new Promise((resolve) => (end = resolve));
  return { start, end, running, ended };
}

/**
 * The lock's name is the queue's. `acquire` adds a job and waits until this client's worker runs it; `release`
 * lets it end; `idle` is a worker that finds no job.
 */
export const bullmq = {
  name: 'bullmq',
  folder: 'bullmq',
  open: ({ port, options, tell }) => {
    const connection = () => {
      const client = connect(port, options);
      client.options.maxRetriesPerRequest = null;
      return client;
    };
    const jobs = new Map();
    const work = (name, processor, { leaseMs = 30_000 }) =>
      new Worker(name, processor, { connection: connection(), lockDuration: leaseMs });
    return {
      acquire: async (name, given) => {
        const job = startJob();
        const worker = work(
          name,
          async ({ token }) => {
            job.start(token);
            await job.ended;
          },
          given,
        );
        worker.on('error', (error) => tell(name, error.message));
        const done = new Promise((resolve) => {
          worker.once('completed', () => resolve('completed'));
          worker.once('failed', (_, error) => resolve(error.message));
        });
        jobs.set(name, { ...job, worker, done });
        await new Queue(name, { connection: connection() }).add('work', {}, { jobId: JOB });
        return { held: true, owner: await job.running, depth: null };
      },
      release: async (name) => {
        const { end, worker, done } = jobs.get(name);
        end();
        const outcome = await done;
        await worker.close(true);
        return { outcome };
      },
      idle: async (name, given) => {
        const worker = work(name, async () => undefined, given);
        await worker.waitUntilReady();
        jobs.set(name, { worker });
        return {};
      },
    };
  },
};

export const bull = {
  name: 'bull',
  folder: 'bull',
  open: ({ port, tell }) => {
    const jobs = new Map();
    return {
      acquire: async (name, { leaseMs = 30_000 }) => {
        const job = startJob();
        const settings = { lockDuration: leaseMs, lockRenewTime: leaseMs / 2 };
        const queue = new Bull(name, { redis: { host: '127.0.0.1', port }, settings });
        queue.on('error', (error) => tell(name, error.message));
        const done = new Promise((resolve) => {
          queue.once('completed', () => resolve('completed'));
          queue.once('failed', (_, error) => resolve(error.message));
        });
        void queue.process(async () => {
          job.start(queue.token);
          await job.ended;
        });
        jobs.set(name, { ...job, queue, done });
        await queue.add({}, { jobId: JOB });
        return { held: true, owner: await job.running, depth: null };
      },
      release: async (name) => {
        const { end, queue, done } = jobs.get(name);
        end();
        const outcome = await done;
        await queue.close(true);
        return { outcome };
      },
    };
  },
};
