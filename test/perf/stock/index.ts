import { writeFileSync } from 'node:fs';
import { figureLine } from '@/test/perf/figures';
import { parseOptions } from '@/test/perf/options';
import { figuresOf, measureStock, type Course } from '@/test/perf/stock/measure';

const FULL: Course = {
  rounds: 5,
  processes: 2,
  callers: 512,
  units: 300_000,
  plainUnits: 2000,
};
const QUICK: Course = { ...FULL, rounds: 2, units: 60_000, plainUnits: 500 };

/**
 * `bench stock`: sells out a segmented stock in single units, by callers that each await their answer, beside
 * one global lock with GET and DECRBY. Returns the exit code.
 */
export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (!options || options.only) {
    process.stderr.write('usage: lockscope bench stock [--quick] [--json FILE]\n');
    return 2;
  }
  const course = options.quick ? QUICK : FULL;
  const figures = figuresOf(await measureStock(course));
  process.stdout.write(
    `${course.units} units in 10 segments, ${course.processes} processes × ${course.callers} callers, ` +
      `append-only file every second; ${course.rounds} rounds in turn with the plain lock\n`,
  );
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${figureLine(name, value)}\n`);
  }
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return 0;
}
