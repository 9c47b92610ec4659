import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RedisAddress } from './service';

/** Lock names of the fleet that no library's own prefix gives away. */
const WATCHED = [
  'order_sync:*',
  'inventory:*',
  'payment:*',
  'warehouse:*',
  'account:*',
  'parcel:*',
  'price:*',
  'import:*',
  'reports:*',
  'cache-rebuild:*',
];

/** Shorter than in production, so that a demo shows within seconds what takes minutes there. */
const LONG_HOLD_MS = 20_000;
const NO_EXPIRY_MS = 10_000;

/** Starts the built console on that Redis, with its data in `folder`; its output goes to the terminal. */
export function startConsole(
  address: RedisAddress,
  { port, folder, isJson }: { port: number; folder: string; isJson: boolean },
): ChildProcess {
  const emptyConfig = join(folder, 'lock.yaml');
  writeFileSync(emptyConfig, '');
  const program = fileURLToPath(new URL('./server.js', import.meta.url));
  const words = ['--enable-source-maps', program, ...(isJson ? ['--json'] : [])];
  return spawn(process.execPath, words, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    // Only this: a setting in the user's environment must not lead the demo to their own Redis.
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      LOCKSCOPE_CONFIG: emptyConfig,
      LOCKSCOPE_REDIS_URL: `redis://:${address.password}@${address.host}:${address.port}/0`,
      LOCKSCOPE_WATCH: WATCHED.join(','),
      LOCKSCOPE_HOST: '127.0.0.1',
      LOCKSCOPE_PORT: `${port}`,
      LOCKSCOPE_DATA_DIR: join(folder, 'data'),
      LOCKSCOPE_LONG_HOLD_MS: `${LONG_HOLD_MS}`,
      LOCKSCOPE_NO_EXPIRY_MS: `${NO_EXPIRY_MS}`,
    },
  });
}
