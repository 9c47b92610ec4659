import { writeFileSync } from 'node:fs';
import { AIMS, figureLine } from '@/test/perf/figures';
import { figuresOf } from '@/test/perf/lock/figures';
import { measureLocks } from '@/test/perf/lock/measure';
import { parseLockOptions, USAGE } from '@/test/perf/lock/options';
import { installPeers } from '@/test/perf/lock/peers';
import { whereBehind } from '@/test/perf/lock/standing';
import { tablesOf } from '@/test/perf/lock/tables';

/** `bench lock`: our client, plain ioredis and the peers side by side. Returns the exit code. */
export async function run(args: string[]): Promise<number> {
  const options = parseLockOptions(args);
  if (!options) {
    process.stderr.write(USAGE);
    return 2;
  }
  const peers = await installPeers(options.peers);
  const measured = await measureLocks({ parts: options.parts, peers, quick: options.quick });
  const figures = figuresOf(measured);
  process.stdout.write(`${tablesOf(measured)}\n`);
  for (const { name } of AIMS) {
    const value = figures[name];
    if (value !== undefined) process.stdout.write(`${figureLine(name, value)}\n`);
  }
  for (const { line, client, ours, theirs } of whereBehind(measured)) {
    const values = `${ours.toFixed(2)}, ${client} ${theirs.toFixed(2)}`;
    process.stdout.write(`behind ${client} on lock.${line}: ours ${values}\n`);
  }
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  return 0;
}
