import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@/test/support/free-port';
import type { TestRedis } from '@/test/support/redis-server';
import { createTestCli, type TestCli } from '@/test/server/cli/locks/run-cli';

export const PASSWORD = 'aBc$9xY!2';

/** The command line with a config/lock.yaml as the seed writes it, and nothing in the environment. */
export async function cliWithFile(
  redis: Pick<TestRedis, 'port'>,
  options: {
    user?: string;
    password?: string | null;
    db?: string;
    more?: string;
    url?: string;
  } = {},
): Promise<TestCli> {
  const { user = '', password = PASSWORD, db = '/2', more = '' } = options;
  const at = user === '' ? '' : `${user}@`;
  const url = options.url ?? `redis://${at}127.0.0.1:${redis.port}${db}`;
  const cli = await createTestCli('', {
    LOCKSCOPE_REDIS_URL: '',
    LOCKSCOPE_ALLOW_INSECURE_REDIS: '',
    // Somebody's console may run on the usual port.
    LOCKSCOPE_PORT: `${await freePort()}`,
  });
  const lines = [
    'redis-lock-provider:',
    ...(more.includes('enabled') ? [] : ['  enabled: true']),
    `  redis_url: ${url}`,
    ...(password === null ? [] : [`  redis_password: "${password}"`]),
    ...(more === '' ? [] : more.split('\n').map((line) => `  ${line}`)),
  ];
  cli.env['LOCKSCOPE_CONFIG'] = join(cli.dataDir, '..', 'lock.yaml');
  await writeFile(cli.env['LOCKSCOPE_CONFIG'], `${lines.join('\n')}\n`);
  return cli;
}
