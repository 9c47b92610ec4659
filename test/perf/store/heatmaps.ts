import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Report } from '@/test/perf/index';
import { residentBytes } from '@/test/perf/process-usage';
import { quantile } from '@/test/perf/statistics';
import { pause } from '@/test/support/pause';
import type { HeatColumn } from '@/server/store/history-contract';
import { createStore, DATABASE_FILE } from '@/server/store/store';
import type { Store } from '@/server/store/store-contract';
import { aStep, FIVE_MINUTES_MS } from './rollups';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SERIES = 5000;
/** Seven days of five-minute steps: ten million rollups of five thousand series. */
const STEPS = (7 * DAY_MS) / FIVE_MINUTES_MS;
const COLUMNS: readonly HeatColumn[] = ['waiterMs', 'heldMs', 'acquisitions', 'waitMs', 'lost'];
const QUESTIONS = 100;

/** Seven days of heatmap over ten million rollups, as the heatmap query asks for it. */
export async function measureHeatmaps(report: Report, quick: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-perf-'));
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const steps = quick ? STEPS / 8 : STEPS;
  const store = createStore({ databaseUrl: null, dataDir: folder, now: () => now });
  try {
    await store.start();
    for (let i = steps; i > 0; i--) {
      const rollups = aStep(now - i * FIVE_MINUTES_MS, SERIES);
      await store.writeRollups({ rollups, blame: [] });
    }
    report('store.rollups', steps * SERIES);
    await untilBuilt(store, now - HOUR_MS);
    report('store.diskBytes', (await stat(join(folder, DATABASE_FILE))).size);
    const { times, blockedMs } = await ask(store, now - steps * FIVE_MINUTES_MS, now);
    report('store.heatmapQueryMs.p50', quantile(times, 0.5));
    report('store.heatmapQueryMs.p99', quantile(times, 0.99));
    report('store.heatmapQuery.loopBlockedMs.max', blockedMs);
    report('store.residentMegabytes', residentBytes(process.pid) / 1e6);
  } finally {
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilBuilt(store: Store, until: number): Promise<void> {
  for (;;) {
    const { tiers } = await store.kept();
    if ((tiers.at(-1)?.built ?? 0) >= until) return;
    await pause(500);
  }
}

async function ask(store: Store, from: number, to: number) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const startedAt = performance.now();
    const first = COLUMNS[i % COLUMNS.length] ?? 'waiterMs';
    const heat = await store.heat({
      ...{ target: 'main', level: 'lock', from, to, stepMs: HOUR_MS, rows: 5000 },
      columns: [first],
    });
    times.push(performance.now() - startedAt);
    if (heat.series.length < SERIES) throw new Error(`${heat.series.length} series were told`);
  }
  delay.disable();
  return { times, blockedMs: delay.max / 1e6 - 1 };
}
