import { writeFileSync } from 'node:fs';
import { figureLine, type Figures } from './figures';
import { measureAdvice } from './groups/advice';
import { measureDeadlock } from './groups/deadlock';
import { measureHeatmap } from './groups/heatmap';
import { measureLive } from './groups/live';
import { measureLock } from './groups/lock';
import { measurePage } from './groups/page';
import { measurePrediction } from './groups/prediction';
import { measureRedis } from './groups/redis';
import { measureStore } from './groups/store';
import { measureWaits } from './groups/waits';
import { measureWatch } from './groups/watch';
import { parseOptions } from './options';

export type Report = (name: string, value: number) => void;
type Group = (report: Report, quick: boolean) => Promise<void>;

const GROUPS: Record<string, Group> = {
  watch: measureWatch,
  redis: measureRedis,
  live: measureLive,
  page: measurePage,
  heatmap: measureHeatmap,
  lock: measureLock,
  store: measureStore,
  waits: measureWaits,
  advice: measureAdvice,
  deadlock: measureDeadlock,
  prediction: measurePrediction,
};

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const names = options?.only ?? Object.keys(GROUPS);
  const unknown = names.filter((name) => !Object.hasOwn(GROUPS, name));
  if (!options || unknown.length > 0) {
    process.stderr.write(
      `usage: npm run perf -- [--only ${Object.keys(GROUPS).join(',')}] [--json FILE] [--quick]\n`,
    );
    return 2;
  }
  const figures: Figures = {};
  for (const name of names) {
    await GROUPS[name]?.((figure, value) => {
      figures[figure] = value;
      process.stdout.write(`${figureLine(figure, value)}\n`);
    }, options.quick);
  }
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return 0;
}

process.exit(await main());
