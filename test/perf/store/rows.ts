import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Report } from '@/test/perf/index';
import { median, quantile } from '@/test/perf/statistics';
import { createStore, DATABASE_FILE } from '@/server/store/store';
import { batchesOfHolds } from './holds';
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
  const [ours, wide]: [number[], number[]] = [[], []];
  const blocked: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'lockscope-perf-'));
    try {
      const forWide = batchesOfHolds({ count, size: WIDE_BATCH, now });
      wide.push(writeWide(join(folder, 'wide.db'), forWide));
      const written = await writeOurs(folder, count, now);
      ours.push(written.rowsPerSecond);
      blocked.push(written.blockedMs);
      bytes = written.bytes;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  report('store.wide.rowsPerSecond', median(wide));
  report('store.rowsPerSecond', median(ours));
  report(
    'store.rowsPerSecond.ratioToWide',
    median(ours.map((rate, i) => rate / (wide[i] ?? Number.NaN))),
  );
  report('store.mainLoopBlockedMs.max', quantile(blocked, 1));
  report('store.diskBytesPerMillionHolds', (bytes / count) * 1e6);
}

async function writeOurs(folder: string, count: number, now: number) {
  const store = createStore({ databaseUrl: null, dataDir: folder, now: () => now });
  await store.start();
  const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  let spentMs = 0;
  for (const batch of batchesOfHolds({ count, size: BATCH, now })) {
    delay.enable();
    const startedAt = performance.now();
    await store.writeHolds(batch);
    spentMs += performance.now() - startedAt;
    delay.disable();
  }
  await store.stop();
  return {
    rowsPerSecond: (count / spentMs) * 1000,
    blockedMs: delay.max / 1e6 - LOOK_EVERY_MS,
    bytes: (await stat(join(folder, DATABASE_FILE))).size,
  };
}
