import { ensureBuild } from '../bootstrap/build.js';
import { ensureDependencies } from '../bootstrap/install.js';

/** Installs and builds what is missing or stale. */
export async function run() {
  await ensureDependencies();
  await ensureBuild();
  return 0;
}
