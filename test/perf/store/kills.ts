import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '@/test/perf/index';
import { ROOT } from '@/test/support/source-tree';
import { createStore } from '@/server/store/store';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

/** What one life of the writing process said it had on disk when it was killed. */
interface Life {
  holds: number;
  acquisitions: number;
}

/** Kills a process that writes, again and again on the same data, and counts what it had acknowledged and is gone. */
export async function measureKills(report: Report, quick: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-perf-'));
  const kills = quick ? 10 : 100;
  const said: Life = { holds: 0, acquisitions: 0 };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const life = await liveAndDie(folder, kill);
      said.holds += life.holds;
      said.acquisitions += life.acquisitions;
    }
    const kept = await count(folder);
    report('store.kills', kills);
    report('store.acknowledged', said.holds);
    report(
      'store.lostRows',
      Math.max(0, said.holds - kept.holds) + Math.max(0, said.acquisitions - kept.acquisitions),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function liveAndDie(folder: string, life: number): Promise<Life> {
  const program = join(ROOT, 'dist', 'perf', 'store-worker.js');
  const child = spawn(process.execPath, [program, folder, `${life * 100_000}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, 50 + ((life * 37) % 250)));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  const told = (what: string): number =>
    [...text.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].reduce(
      (sum, [, number]) => sum + Number(number),
      0,
    );
  return { holds: told('holds'), acquisitions: told('acquisitions') };
}

async function count(dataDir: string): Promise<Life> {
  const store = createStore({ databaseUrl: null, dataDir, now: () => NOW });
  await store.start();
  const range = { target: 'main', from: NOW - DAY_MS, to: NOW };
  const holds = await store.holds({ ...range, limit: 10_000_000 });
  const rollups = await store.rollups({ ...range, level: 'lock', stepMs: null, sketches: [] });
  await store.stop();
  return {
    holds: holds.length,
    acquisitions: rollups.reduce((sum, { acquisitions }) => sum + acquisitions, 0),
  };
}
