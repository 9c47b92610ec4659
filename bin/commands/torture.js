import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ensureRedisson } from '../bootstrap/redisson.js';
import { ROOT } from '../bootstrap/root.js';
import { SetUpError } from '../bootstrap/say.js';
import { HOW_TO_GET, ensureRedisServer } from '../bootstrap/tools.js';

const CONTRACT = 'test/lib/lock/contract';
const USAGE = 'usage: npm run torture -- [--with redisson] [--seed N]\n';

/** What was asked for, or null when that is nothing there is. */
function readArguments(args) {
  const options = { seed: { type: 'string' }, with: { type: 'string' } };
  try {
    const { values } = parseArgs({ args, options });
    const isSeed = values.seed === undefined || /^\d+$/.test(values.seed);
    const isPeer = values.with === undefined || values.with === 'redisson';
    return isSeed && isPeer ? values : null;
  } catch {
    // An option that there is not; the usage says which there are.
    return null;
  }
}

/**
 * Runs the test of mutual exclusion at its full size: among our own processes that are killed and paused, or beside
 * Redisson. `--seed N` repeats an order of events.
 */
export async function run(args) {
  const asked = readArguments(args);
  if (!asked) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (!(await ensureRedisServer())) throw new SetUpError(HOW_TO_GET['redis-server']);
  await ensureDependencies();
  if (asked.with && !(await ensureRedisson())) throw new SetUpError(HOW_TO_GET.java);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const file = asked.with ? 'interop-redisson-torture' : 'exclusion';
  const env = { ...process.env, LOCKSCOPE_TORTURE: 'full' };
  if (asked.seed) env.LOCKSCOPE_TORTURE_SEED = asked.seed;
  return await runChild(process.execPath, [vitest, 'run', `${CONTRACT}/${file}.test.ts`], { env });
}
