import { measureLeases } from '@/test/perf/advice/measure-leases';
import { measureWorkload } from '@/test/perf/advice/measure';
import { WORKLOADS } from '@/test/perf/advice/workloads';
import type { Report } from '@/test/perf/index';

/**
 * Leases as recommended against fixed ones, replayed; and three workloads, each as it was built and as the console advised:
 * what following the advice brings. The least drop of these counts.
 */
export async function measureAdvice(report: Report, quick: boolean): Promise<void> {
  measureLeases(report, quick);
  const drops: number[] = [];
  for (const workload of WORKLOADS) {
    const { name } = workload;
    const outcome = await measureWorkload(workload, quick ? 5000 : 17_000);
    drops.push(outcome?.drop ?? 0);
    if (!outcome) continue;
    report(`advice.${name}.locks`, outcome.locks);
    report(`advice.${name}.contention.before`, outcome.before);
    report(`advice.${name}.contention.after`, outcome.after);
    report(`advice.${name}.drop.expected`, outcome.expectedDrop);
    report(`advice.${name}.drop`, outcome.drop);
    report(`advice.${name}.replayError`, outcome.replayError);
  }
  report('advice.contentionDrop', Math.min(...drops));
}
