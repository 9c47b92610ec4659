import { ensureBuild } from '../bootstrap/build.js';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';

/** The console on the Redis that LOCKSCOPE_REDIS_URL names. A bad setting ends it with code 2. */
export async function run() {
  await ensureDependencies();
  await ensureBuild();
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  return await runChild(process.execPath, ['--enable-source-maps', 'dist/server.js'], { env });
}
