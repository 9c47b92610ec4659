import { ensureBuild, ensureCli } from '../bootstrap/build.js';
import { ensureDependencies } from '../bootstrap/install.js';

/** Installs and builds what is missing or stale: all that the package consists of. */
export async function run() {
  await ensureDependencies();
  await ensureBuild();
  await ensureCli();
  return 0;
}
