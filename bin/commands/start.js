import { join } from 'node:path';
import { ensureBuild } from '../bootstrap/build.js';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ROOT, isCheckout } from '../bootstrap/root.js';

/**
 * The console on the Redis that LOCKSCOPE_REDIS_URL names, with config/lock.yaml and ./data of the folder
 * that the command was given in. A bad setting ends it with code 2.
 */
export async function run() {
  if (isCheckout()) {
    await ensureDependencies();
    await ensureBuild();
  }
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const server = ['--enable-source-maps', join(ROOT, 'dist', 'server.js')];
  return await runChild(process.execPath, server, { env, cwd: process.cwd() });
}
