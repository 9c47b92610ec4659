import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/test/support/free-port';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

export interface Alertmanager {
  url: string;
  /** What it has, as its API v2 answers. */
  alerts: () => Promise<
    { labels: Record<string, string>; status: { state: string }; endsAt: string }[]
  >;
  stop: () => Promise<void>;
}

const PROGRAM = join(ROOT, 'test', 'results', 'alertmanager', 'alertmanager');
const STARTS_WITHIN_MS = 60_000;

/** Alertmanager itself, on a port of its own. It tells of what it has to `receiver`, at once. */
export async function startAlertmanager(receiver: string): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-alertmanager-'));
  const config = join(folder, 'alertmanager.yml');
  const route = { receiver: 'test', group_wait: '0s', group_interval: '1s', group_by: ['...'] };
  const webhook = { url: receiver, send_resolved: true };
  const receivers = [{ name: 'test', webhook_configs: [webhook] }];
  // JSON is YAML as well.
  await writeFile(config, JSON.stringify({ route, receivers }));
  const port = await freePort();
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> =>
    await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('Alertmanager is ready', isReady, STARTS_WITHIN_MS).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${output}`);
  });
  return {
    url,
    alerts: async () => {
      const answer = await fetch(`${url}/api/v2/alerts`);
      // The shape is what its API v2 documents; the test looks at what it has.
      return (await answer.json()) as Awaited<ReturnType<Alertmanager['alerts']>>;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
