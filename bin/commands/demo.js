import { join } from 'node:path';
import { ensureBuild } from '../bootstrap/build.js';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ROOT, isCheckout } from '../bootstrap/root.js';
import { SetUpError } from '../bootstrap/say.js';
import { HOW_TO_GET, ensureRedisServer } from '../bootstrap/tools.js';

/** A Redis, a fleet of services that lock, and the console; ends with all it started. */
export async function run(args) {
  if (!(await ensureRedisServer())) throw new SetUpError(HOW_TO_GET['redis-server']);
  if (isCheckout()) {
    await ensureDependencies();
    await ensureBuild();
  }
  const demo = join(ROOT, 'dist', 'demo.js');
  return await runChild(process.execPath, ['--enable-source-maps', demo, ...args]);
}
