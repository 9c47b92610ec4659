import { writeFileSync } from 'node:fs';
import { figureLine, type Figures } from '@/test/perf/figures';
import { parseOptions } from '@/test/perf/options';
import { measureTakeover } from './measure';

const KILLS = { full: 60, quick: 10 };

/** `[--quick] [--json FILE]`: how long a task stands still when its process is killed. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (!options || options.only) {
    process.stderr.write('usage: npm run bench:takeover -- [--quick] [--json FILE]\n');
    return 2;
  }
  const figures: Figures = {};
  await measureTakeover(
    (name, value) => {
      figures[name] = value;
      process.stdout.write(`${figureLine(name, value)}\n`);
    },
    options.quick ? KILLS.quick : KILLS.full,
  );
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return 0;
}
