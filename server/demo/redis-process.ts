import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisAddress } from './service';

/** Starts a redis-server without persistence that keeps to `folder`. Resolves when it takes connections. */
export async function startRedis(address: RedisAddress, folder: string): Promise<ChildProcess> {
  const file = join(folder, 'redis.conf');
  // In a file and not on the command line, where any user of the machine could read the password.
  const settings = [
    `port ${address.port}`,
    `bind ${address.host}`,
    `requirepass ${address.password}`,
    `dir ${folder}`,
    'save ""',
    'appendonly no',
    'notify-keyspace-events KEAn',
  ];
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o600 });
  // In a session of its own: Ctrl-C must reach it last, when the console has stopped.
  const child = spawn('redis-server', [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ready to accept connections')) resolve();
    });
  });
  return child;
}
