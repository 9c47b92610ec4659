import { Redis } from 'ioredis';
import { createConfigFeed, type ConfigReader } from '@/lib/lock/hot-config/index';
import { monotonicMs } from '@/test/perf/lock/clock';
import { checkSettings, type FromReaders, type Job, type Settings } from './job';

const tell = (message: FromReaders): void => void process.send?.(message);
/** Connections opened at one time: more would overrun the server's backlog. */
const OPENED_TOGETHER = 100;

function openReaders(job: Job, onChange: (settings: Settings) => void): ConfigReader<Settings>[] {
  const redis = new Redis({ port: job.port, host: '127.0.0.1' });
  const feedOptions = { redis, checkMs: 60_000 };
  const shared = job.subscriptions === 'shared' ? createConfigFeed(feedOptions) : null;
  return Array.from({ length: job.readers }, () =>
    (shared ?? createConfigFeed(feedOptions)).reader({
      name: job.name,
      validate: checkSettings,
      onChange: ({ content }) => onChange(content),
    }),
  );
}

async function work(job: Job): Promise<void> {
  const took = new Map<number, number[]>();
  const note = ({ change, askedAt }: Settings): void => {
    const tookMs = took.get(change) ?? [];
    took.set(change, tookMs);
    tookMs.push(monotonicMs() - askedAt);
    if (tookMs.length < job.readers) return;
    took.delete(change);
    tell({ change, tookMs });
  };
  for (let opened = 0; opened < job.readers;) {
    const part = job.subscriptions === 'shared' ? job.readers : OPENED_TOGETHER;
    const readers = Math.min(part, job.readers - opened);
    await Promise.all(openReaders({ ...job, readers }, note).map((reader) => reader.ready()));
    opened += readers;
  }
  tell({ ready: true });
}

// It ends when the bench has its answers, or is gone.
process.on('disconnect', () => process.exit());
process.once('message', (job: Job) => {
  work(job).catch((error: unknown) => tell({ failed: String(error) }));
});
