import type { Report } from '@/test/perf/index';
import { detect } from '@/test/perf/deadlock/detect';
import { lagging } from '@/test/perf/deadlock/lagging';
import { walk } from '@/test/perf/deadlock/walk';
import { median, quantile } from '@/test/perf/statistics';

/**
 * How soon a deadlock is told, measured through a real Redis and console; and whether any is missed or told wrongly,
 * over random histories of locks that are compared with a plain play of them, seen at once and seen with a lag.
 */
export async function measureDeadlock(report: Report, quick: boolean): Promise<void> {
  const { latencies, missed, phantom } = await detect(quick ? 10 : 120);
  report('deadlock.detectMs.p50', median(latencies));
  report('deadlock.detectMs.p99', quantile(latencies, 0.99));
  const verdict = walk(quick ? 500_000 : 10_000_000, 2026);
  report('deadlock.steps', verdict.steps);
  report('deadlock.checks', verdict.checks);
  report('deadlock.checks.stuck', verdict.stuck);
  const seen = lagging(quick ? 20_000 : 300_000, 2026);
  report('deadlock.told.lagging', seen.told);
  report('deadlock.missed', missed + verdict.missed);
  report('deadlock.phantom', phantom + verdict.phantom + seen.phantom);
}
