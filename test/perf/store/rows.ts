import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Report } from '@/test/perf/index';
import { median, quantile } from '@/test/perf/statistics';
import { createStore, DATABASE_FILE } from '@/server/store/store';
import { batchesOfHolds } from './holds';
import { Spent, type Written } from './spent';
import { writeWide } from './wide';

/** As the recorder hands them over. */
const BATCH = 4000;
/** What the wide schema was known to be fastest with. */
const WIDE_BATCH = 1000;
const LOOK_EVERY_MS = 1;

/** Rows per second into the store, in turn with the wide schema; disk; how long the event loop was held up. */
export async function measureRows(report: Report, quick: boolean): Promise<void> {
  const now = Date.now();
  const count = quick ? 50_000 : 500_000;
  const rounds = quick ? 1 : 3;
  const [ours, wide]: [Written[], Written[]] = [[], []];
  const blocked: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'lockscope-perf-'));
    try {
      const forWide = batchesOfHolds({ count, size: WIDE_BATCH, now });
      wide.push(writeWide(join(folder, 'wide.db'), forWide));
      const written = await writeOurs(folder, count, now);
      ours.push(written);
      blocked.push(written.blockedMs);
      bytes = written.bytes;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  report('store.wide.rowsPerSecond', median(wide.map((each) => each.rowsPerSecond)));
  report('store.rowsPerSecond', median(ours.map((each) => each.rowsPerSecond)));
  report('store.rowsPerSecond.ratioToWide', medianRatio(ours, wide, 'rowsPerSecond'));
  report('store.rowsPerCpuSecond.ratioToWide', medianRatio(ours, wide, 'rowsPerCpuSecond'));
  report('store.mainLoopBlockedMs.max', quantile(blocked, 1));
  report('store.diskBytesPerMillionHolds', (bytes / count) * 1e6);
}

function medianRatio(
  ours: readonly Written[],
  wide: readonly Written[],
  figure: keyof Written,
): number {
  return median(ours.map((each, i) => each[figure] / (wide[i]?.[figure] ?? Number.NaN)));
}

async function writeOurs(folder: string, count: number, now: number) {
  const store = createStore({ databaseUrl: null, dataDir: folder, now: () => now });
  await store.start();
  const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  const spent = new Spent();
  for (const batch of batchesOfHolds({ count, size: BATCH, now })) {
    delay.enable();
    spent.begin();
    await store.writeHolds(batch);
    spent.end();
    delay.disable();
  }
  await store.stop();
  return {
    ...spent.of(count),
    blockedMs: delay.max / 1e6 - LOOK_EVERY_MS,
    bytes: (await stat(join(folder, DATABASE_FILE))).size,
  };
}
