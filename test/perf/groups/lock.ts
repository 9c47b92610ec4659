import { figuresOf } from '@/test/perf/lock/figures';
import { measureLocks } from '@/test/perf/lock/measure';
import { PARTS } from '@/test/perf/lock/options';
import type { Report } from '@/test/perf/index';

/** The lock client beside plain ioredis, the limit; `bench lock` sets the peers beside it. */
export async function measureLock(report: Report, quick: boolean): Promise<void> {
  const measured = await measureLocks({ parts: PARTS, peers: [], quick });
  for (const [name, value] of Object.entries(figuresOf(measured))) report(name, value);
}
