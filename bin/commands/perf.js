import { join } from 'node:path';
import { ensureBuild } from '../bootstrap/build.js';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ROOT } from '../bootstrap/root.js';
import { SetUpError } from '../bootstrap/say.js';
import { HOW_TO_GET, ensureChromium, ensureRedisServer } from '../bootstrap/tools.js';

/** Prints the figures beside their aims. `--only watch,live`, `--json FILE`, `--quick`. */
export async function run(args) {
  if (!(await ensureRedisServer())) throw new SetUpError(HOW_TO_GET['redis-server']);
  await ensureDependencies();
  await ensureChromium();
  await ensureBuild();
  const { bundlePerf } = await import('../bootstrap/bundle.js');
  await bundlePerf();
  const program = join(ROOT, 'dist', 'perf', 'main.js');
  return await runChild(process.execPath, ['--enable-source-maps', program, ...args]);
}
