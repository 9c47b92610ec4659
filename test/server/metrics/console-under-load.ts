import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLockClient } from '@/lib/lock/index';
import { loadConfig } from '@/server/config';
import { startRuntime, type Runtime } from '@/server/runtime';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { parseExposition, valueOf, type ParsedFamily } from './parse-exposition';

export interface LoadedConsole {
  runtime: Runtime;
  redis: TestRedis;
  scrape: (format?: 'text' | 'openmetrics') => Promise<ParsedFamily[]>;
  stop: () => Promise<void>;
}

const ACCEPT = { text: null, openmetrics: 'application/openmetrics-text; version=1.0.0' };

/** A console without HTTP on a Redis of its own; `env` on top of the settings of tests. */
export async function startLoadedConsole(env: Record<string, string> = {}): Promise<LoadedConsole> {
  const redis = await startRedis({ flags: 'KEAn' });
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-metrics-'));
  const emptyConfig = join(dataDir, 'lock.yaml');
  await writeFile(emptyConfig, '');
  const runtime = await startRuntime(
    loadConfig({
      LOCKSCOPE_REDIS_URL: redis.url,
      LOCKSCOPE_DATA_DIR: dataDir,
      LOCKSCOPE_WATCH: 'import:*',
      LOCKSCOPE_NO_EXPIRY_MS: '1',
      LOCKSCOPE_ALLOW_INSECURE_REDIS: '1',
      LOCKSCOPE_CONFIG: emptyConfig,
      ...env,
    }),
  );
  await until('the console is ready', () => runtime.context.watch.ready);
  return {
    runtime,
    redis,
    scrape: async (format = 'text') =>
      parseExposition((await runtime.handle.metrics(ACCEPT[format])).body, format),
    stop: async () => {
      await runtime.stop();
      await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Holds, waits that end either way, attempts that are refused, a lock that is lost, one that stays, and a gap. */
export async function putLoad({ redis, scrape }: LoadedConsole): Promise<void> {
  const client = redis.client();
  const locks = createLockClient({ redis: client, allowInsecure: true, app: 'load' });
  const told = async (name: string, labels: Record<string, string> = {}) =>
    valueOf(await scrape(), name, labels);
  const first = await locks.acquire('order:1');
  const second = locks.acquire('order:1', { waitMs: 100_000 });
  const third = locks.acquire('order:1', { waitMs: 50 }).catch(() => null);
  await third;
  await until('somebody waits', async () => (await told('lockscope_class_waiters')) === 1);
  await first.release();
  const held = await second;
  // As redis-py writes it: nobody can tell who waits for it.
  await client.set('import:1', '0b7e2c9e4f5a11ef9a0f1b2c3d4e5f60', 'PX', 2000);
  await client.set('import:2', '0b7e2c9e4f5a11ef9a0f1b2c3d4e5f61');
  await until('it was lost', () => told('lockscope_class_ends_total', { reason: 'lease-ended' }));
  await until('a wait was told', () => told('lockscope_class_waits_total', { outcome: 'left' }));
  await until('an alert is open', () => told('lockscope_alerts'));
  await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await until('the gap is over', () => told('lockscope_gaps_total'));
  await until('waiters are counted again', async () => {
    const observable = { class: 'qoder:lock:order:*' };
    return (await told('lockscope_class_waiters_observable', observable)) === 1;
  });
  await held.release();
  await locks.close();
}
