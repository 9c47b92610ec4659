import { writeFileSync } from 'node:fs';
import { figureLine, type Figures } from '@/test/perf/figures';
import { parseOptions } from '@/test/perf/options';
import { median, quantile } from '@/test/perf/statistics';
import { arithmetic } from './arithmetic';
import { measureHops, measureUpdates, type Course } from './measure';

const FULL: Course = { readers: 10_000, processes: 8, changes: 30, fanOut: 10 };
const QUICK: Course = { readers: 1000, processes: 4, changes: 5, fanOut: 2 };
const HOPS_PER_CHANGE = 10;

/**
 * `bench config`: how long a change needs to be in force in every reader, once with a subscription for each
 * reader and once with one for each process; the way down a tree of replicas; and what a million readers make
 * of that. Returns the exit code.
 */
export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (!options || options.only) {
    process.stderr.write('usage: lockscope bench config [--quick] [--json FILE]\n');
    return 2;
  }
  const course = options.quick ? QUICK : FULL;
  process.stdout.write(
    `${course.readers} readers in ${course.processes} processes, ${course.changes} changes of about 1 KB, ` +
      'one Redis, everything on this machine\n',
  );
  const figures = await measure(course);
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${figureLine(name, value)}\n`);
  }
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return 0;
}

async function measure(course: Course): Promise<Figures> {
  const own = await measureUpdates(course, 'own');
  const shared = await measureUpdates(course, 'shared');
  const hops = await measureHops({ ...course, changes: course.changes * HOPS_PER_CHANGE });
  const hopMs = quantile(hops, 0.99);
  const { p99, ...others } = overChanges(own.tookMs);
  const sharing = overChanges(shared.tookMs);
  return {
    'config.readersUpdatedMs.p50': others.p50,
    'config.readersUpdatedMs.p99': p99,
    'config.readersUpdatedMs.p99OfWorstChange': others.worst,
    'config.readersUpdatedMs.subscriptions': course.readers,
    'config.shared.readersUpdatedMs.p50': sharing.p50,
    'config.shared.readersUpdatedMs.p99': sharing.p99,
    'config.shared.readersUpdatedMs.p99OfWorstChange': sharing.worst,
    'config.shared.subscriptions': course.processes,
    'config.changeMs.p50': median(own.changeMs),
    'config.hopMs.p50': median(hops),
    'config.hopMs.p99': hopMs,
    ...arithmetic({ readers: course.readers, fanOut: course.fanOut, updatedMs: p99, hopMs }),
  };
}

/** Until half and 99 % of the readers had a change, for the median change; the latter also for the worst. */
function overChanges(tookMs: readonly number[][]): { p50: number; p99: number; worst: number } {
  const p99s = tookMs.map((each) => quantile(each, 0.99));
  return { p50: median(tookMs.map(median)), p99: median(p99s), worst: Math.max(...p99s) };
}
