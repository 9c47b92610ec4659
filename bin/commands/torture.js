import { join } from 'node:path';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ROOT } from '../bootstrap/root.js';
import { SetUpError } from '../bootstrap/say.js';
import { HOW_TO_GET, ensureRedisServer } from '../bootstrap/tools.js';

/** Runs the test of mutual exclusion at its full size. `--seed N` repeats an order of kills and pauses. */
export async function run(args) {
  const seed = args[0] === '--seed' ? args[1] : undefined;
  if (args.length > 0 && !/^\d+$/.test(seed ?? '')) {
    process.stderr.write('usage: npm run torture -- [--seed N]\n');
    return 2;
  }
  if (!(await ensureRedisServer())) throw new SetUpError(HOW_TO_GET['redis-server']);
  await ensureDependencies();
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const file = 'test/lib/lock/contract/exclusion.test.ts';
  const env = { ...process.env, LOCKSCOPE_TORTURE: 'full' };
  if (seed) env.LOCKSCOPE_TORTURE_SEED = seed;
  return await runChild(process.execPath, [vitest, 'run', file], { env });
}
