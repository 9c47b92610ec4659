import { join } from 'node:path';
import { ensureBuild } from '../bootstrap/build.js';
import { runChild } from '../bootstrap/child.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { ROOT, isCheckout } from '../bootstrap/root.js';

const USAGE = `usage: lockscope start [--json]

The console on the configured Redis, until SIGTERM or Ctrl-C. --json prints what it says as JSON.
`;

/**
 * The console on the Redis that LOCKSCOPE_REDIS_URL names, with config/lock.yaml and ./data of the folder
 * that the command was given in. A bad setting ends it with code 2.
 */
export async function run(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const unknown = args.find((word) => word !== '--json');
  if (unknown !== undefined) {
    const message = `start knows no "${unknown}"`;
    if (args.includes('--json'))
      process.stdout.write(`${JSON.stringify({ error: { code: 'USAGE', message } }, null, 2)}\n`);
    process.stderr.write(`lockscope: ${message}\n${USAGE}`);
    return 2;
  }
  if (isCheckout()) {
    await ensureDependencies();
    await ensureBuild();
  }
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const server = ['--enable-source-maps', join(ROOT, 'dist', 'server.js'), ...args];
  return await runChild(process.execPath, server, { env, cwd: process.cwd() });
}
