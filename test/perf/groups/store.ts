import type { Report } from '@/test/perf/index';
import { measureHeatmaps } from '@/test/perf/store/heatmaps';
import { measureIngest } from '@/test/perf/store/ingest';
import { measureKills } from '@/test/perf/store/kills';
import { measureRows } from '@/test/perf/store/rows';

/** History on the embedded database: what writing, asking and dying cost. */
export async function measureStore(report: Report, quick: boolean): Promise<void> {
  await measureIngest(report, quick);
  await measureRows(report, quick);
  await measureKills(report, quick);
  await measureHeatmaps(report, quick);
}
