import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClassLearner } from '@/lib/analysis/class-learner';
import { formatTable } from '@/lib/formats';
import { createAnalysis } from '@/server/analysers';
import { createLockTable } from '@/server/state/lock-table';
import { createRecorder } from '@/server/store/recorder';
import { createStore } from '@/server/store/store';
import type { Observation } from '@/server/watch/observation';
import { createWatch } from '@/server/watch/watch';
import type { Report } from '@/test/perf/index';
import { saturate } from '@/test/perf/load';
import { median } from '@/test/perf/statistics';
import { startRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

const EVENTS_PER_PAIR = 3;
const TARGET = 'main';

/**
 * What history costs beside table and analysers: the same observations of a real Redis are worked off with it and
 * without, in turn. Reading them is in neither.
 */
export async function measureIngest(report: Report, quick: boolean): Promise<void> {
  const pairs = quick ? 20_000 : 100_000;
  const batches = await observe(pairs);
  const [withHistory, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    without.push((pairs * EVENTS_PER_PAIR) / (await workOff(batches, false)));
    withHistory.push((pairs * EVENTS_PER_PAIR) / (await workOff(batches, true)));
  }
  report('store.ingest.eventsPerCpuSecond.without', median(without));
  report('store.ingest.eventsPerCpuSecond', median(withHistory));
  report(
    'store.ingest.ratioToWithout',
    median(withHistory.map((rate, i) => rate / (without[i] ?? Number.NaN))),
  );
}

async function observe(pairs: number): Promise<Observation[][]> {
  const redis = await startRedis();
  const watch = createWatch({
    ...{ id: TARGET, url: redis.url, mode: 'standalone', db: 0, dbs: [0], patterns: [] },
    ...{ everything: false, allowInsecureRedis: true, formats: formatTable, now: Date.now },
  });
  const batches: Observation[][] = [];
  try {
    watch.onObservations((observations) => void batches.push([...observations]));
    await watch.start();
    await until('the watch is ready', () => watch.ready, 10_000);
    await saturate(redis.client(), { prefix: 'lock:ingest:', pairs });
    await until(
      'all is seen',
      () => (watch.status().nodes[0]?.eventsTotal ?? 0) >= pairs * EVENTS_PER_PAIR,
      60_000,
    );
    await pause(500);
  } finally {
    await watch.stop();
    await redis.stop();
  }
  return batches;
}

/** CPU seconds of this process, the database's threads included. */
async function workOff(
  batches: readonly (readonly Observation[])[],
  hasHistory: boolean,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-perf-'));
  const store = createStore({ databaseUrl: null, dataDir: folder, now: Date.now });
  await store.start();
  const table = createLockTable({
    target: TARGET,
    formats: formatTable,
    isDeclared: () => false,
    classify: createClassLearner({ templates: [] }).classify,
  });
  const analysis = createAnalysis({
    ...{ longHoldMs: 60_000, longHoldMsByClass: new Map(), noExpiryMs: 30_000 },
  });
  const recorder = hasHistory
    ? createRecorder({ store, target: TARGET, now: Date.now, find: table.get })
    : null;
  const before = process.cpuUsage();
  for (const observations of batches) {
    const changes = table.apply(observations);
    analysis.observe(changes);
    recorder?.record(changes);
    // The recorder writes in between, as it does beside the watch.
    await new Promise((resolve) => setImmediate(resolve));
  }
  recorder?.integrate(table, Date.now());
  await recorder?.stop();
  const { user, system } = process.cpuUsage(before);
  await store.stop();
  await rm(folder, { recursive: true, force: true });
  return (user + system) / 1e6;
}
