import { replayLeases, type LeaseOutcome, type LeaseSums } from '@/test/perf/advice/lease-replay';
import { LEASE_WORKLOADS } from '@/test/perf/advice/lease-workloads';
import type { Report } from '@/test/perf/index';

const dropOf = (before: number, after: number): number => 1 - after / before;

const total = (
  outcomes: readonly LeaseOutcome[],
  lease: 'byDefault' | 'byMean' | 'advised',
  figure: keyof LeaseSums,
): number => outcomes.reduce((sum, outcome) => sum + outcome[lease][figure], 0);

/**
 * How much less time locks stay held after a crash under the recommended leases than under fixed ones, and how many holds
 * lose their lease under a living holder. Fixed leases as services set them: the default of 30 s that Redisson and
 * the lock provider come with, and ten times the mean of the class, for whoever has measured; the figure that counts is
 * the lesser drop of the two. All are renewed at each third of the lease. That holders die, once in 200 holds at any moment,
 * and that processes stand still once a minute (80 ms on average, one time in a hundred for 0.5 to 2 s) is assumed, and the
 * same for every lease; so is a jitter of 1.5 ms.
 */
export function measureLeases(report: Report, quick: boolean): void {
  const outcomes: LeaseOutcome[] = [];
  for (const [n, workload] of LEASE_WORKLOADS.entries()) {
    const perSecond = quick ? 0.2 : 1;
    const outcome = replayLeases(workload, { perSecond, seed: 71 + n, days: 1 });
    outcomes.push(outcome);
    const { byDefault, byMean, advised, leaseMs } = outcome;
    const name = `advice.lease.${workload.name}`;
    report(`${name}.tenMeansMs`, leaseMs.byMean);
    report(`${name}.leastMs`, leaseMs.least);
    report(`${name}.mostMs`, leaseMs.most);
    report(`${name}.dropFrom30s`, dropOf(byDefault.afterCrashMs, advised.afterCrashMs));
    report(`${name}.dropFromTenMeans`, dropOf(byMean.afterCrashMs, advised.afterCrashMs));
    report(`${name}.abnormal`, advised.lost / advised.holds);
    report(`${name}.abnormalIfUnrenewed`, advised.lostUnrenewed / advised.holds);
  }
  const after = total(outcomes, 'advised', 'afterCrashMs');
  const drops = (['byDefault', 'byMean'] as const).map((lease) =>
    dropOf(total(outcomes, lease, 'afterCrashMs'), after),
  );
  report('advice.heldTimeDrop.from30s', drops[0] ?? 0);
  report('advice.heldTimeDrop.fromTenMeans', drops[1] ?? 0);
  report('advice.heldTimeDrop', Math.min(...drops));
  const lost = total(outcomes, 'advised', 'lost');
  report('advice.abnormalReleases', lost / total(outcomes, 'advised', 'holds'));
}
