import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '@/test/support/redis-server';
import { ROOT } from '@/test/support/source-tree';

const PACKAGE = {
  'lockscope/lock/stock': join(ROOT, 'lib/lock/stock/index.ts'),
  'lockscope/lock': join(ROOT, 'lib/lock/index.ts'),
};

const block = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';

it('runs the documented sale and prints what the page says', async () => {
  const page = await readFile(join(ROOT, 'docs/segmented-stock.md'), 'utf8');
  const redis = await startRedis({ password: 'secret' });
  onTestFinished(redis.stop);
  const outfile = join(ROOT, 'node_modules/.cache/lockscope-test/stock/example.js');
  await build({
    stdin: { contents: block(page, 'ts'), loader: 'ts', resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['ioredis'],
    alias: PACKAGE,
    logLevel: 'silent',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, redis.url]);
  expect(stdout).toBe(block(page, 'text'));
});
