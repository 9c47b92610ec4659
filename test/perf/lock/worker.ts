import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { countCommands, type Adapter } from '@/test/perf/lock/client';
import { contend } from '@/test/perf/lock/contend';
import type { ContendedJob, FromWorker, Job, ToWorker, UncontendedJob } from '@/test/perf/lock/job';
import * as ours from '@/test/perf/lock/ours';
import { PEERS_FOLDER } from '@/test/perf/lock/peers-folder';
import * as plain from '@/test/perf/lock/plain';
import { runFreely } from '@/test/perf/lock/run-freely';

/** Peers are plain modules outside of this bundle: what they export is known by agreement alone. */
async function loadPeer(name: string): Promise<Adapter> {
  return (await import(pathToFileURL(join(PEERS_FOLDER, `${name}.mjs`)).href)) as Adapter;
}

/** ioredis types the commands that it sends; counting does not look at them. */
const asAdapter = (module: typeof ours | typeof plain): Adapter => module as unknown as Adapter;

async function adapterOf(name: string): Promise<Adapter> {
  if (name === 'ours') return asAdapter(ours);
  return name === 'plain' ? asAdapter(plain) : await loadPeer(name);
}

const tell = (message: FromWorker): void => void process.send?.(message);

const nextMessage = async (): Promise<ToWorker> =>
  await new Promise((resolve) => process.once('message', resolve));

/** Answers slices until the bench lets go of this process. */
async function workFreely(job: UncontendedJob): Promise<void> {
  const taker = await (await adapterOf(job.client)).open(job.connection);
  tell({ ready: true });
  for (;;) {
    const message = await nextMessage();
    if ('slice' in message) {
      tell({ slice: await runFreely(taker, job.workers, message.slice) });
    }
  }
}

async function workInContest(job: ContendedJob): Promise<void> {
  const adapter = await adapterOf(job.client);
  const commandsSent = countCommands(adapter.Redis);
  const taker = await adapter.open(job.connection);
  // Connected, scripts loaded, first calls compiled: before anything is measured.
  for (let i = 0; i < 5; i++) await (await taker.acquire(`bench:warm:${process.pid}`)).release();
  tell({ ready: true });
  const message = await nextMessage();
  if (!('window' in message)) throw new Error('a window was expected');
  tell({ contended: await contend({ taker, job, window: message.window, commandsSent }) });
}

async function work(job: Job): Promise<void> {
  if (job.kind === 'uncontended') await workFreely(job);
  else await workInContest(job);
}

// It ends when the bench has its answer, or is gone.
process.on('disconnect', () => process.exit());
try {
  const message = await nextMessage();
  if ('job' in message) await work(message.job);
} catch (error) {
  tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
