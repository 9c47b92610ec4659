import packageJson from '@/package.json';
import type { ServerContext } from '@/server/queries/query-context';
import type { Family } from './exposition';

type Context = Pick<ServerContext, 'store' | 'recorder' | 'config'>;

const gauge = (name: string, help: string, value: number | null): Family => ({
  name,
  type: 'gauge',
  help,
  samples: value === null ? [] : [{ labels: {}, value }],
});

const counter = (name: string, help: string, value: number): Family => ({
  name,
  type: 'counter',
  help,
  samples: [{ labels: {}, value }],
});

/** The console itself: its database and its process. */
export const consoleFamilies = (context: Context): Family[] => [
  {
    name: 'lockscope_build',
    type: 'info',
    help: 'The version that runs.',
    samples: [{ labels: { version: packageJson.version, nodejs: process.version }, value: 1 }],
  },
  ...storeFamilies(context),
  ...processFamilies(),
];

function storeFamilies({ store: { health }, recorder, config }: Context): Family[] {
  return [
    gauge('lockscope_store_ok', 'Whether history can be written.', health.ok ? 1 : 0),
    gauge(
      'lockscope_store_pending_rows',
      'Rows of history that are not written yet.',
      recorder.pendingRows,
    ),
    counter(
      'lockscope_store_lost_rows',
      'Rows of history that were given up because the database stayed out of reach.',
      recorder.lostRows,
    ),
    gauge('lockscope_store_disk_bytes', 'What the database takes on disk.', health.diskBytes),
    gauge(
      'lockscope_store_disk_limit_bytes',
      'What it may take on disk before the oldest history goes; no sample without a bound.',
      config.retention.maxBytes,
    ),
  ];
}

function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    counter(
      'process_cpu_seconds',
      'Time that the console spent on a processor, in user and in system.',
      (user + system) / 1_000_000,
    ),
    gauge('process_resident_memory_bytes', 'Memory of the console.', rss),
    gauge('process_heap_bytes', 'Of that, what its JavaScript objects take.', heapUsed),
    gauge(
      'process_start_time_seconds',
      'When the console started.',
      Math.round(performance.timeOrigin) / 1000,
    ),
  ];
}
