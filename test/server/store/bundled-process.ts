import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '@/test/support/source-tree';

/**
 * A program of this folder that a test runs and kills, as the build makes one: a bundle, and the worker copied beside it.
 * `kind` keeps apart those of tests that run at once. Returns its path.
 */
export async function bundledProcess(name: string, kind: string): Promise<string> {
  const dir = join(ROOT, 'node_modules/.cache/lockscope-test', name, kind);
  await mkdir(dir, { recursive: true });
  const outfile = join(dir, `${name}.js`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@': ROOT },
  });
  await copyFile(join(ROOT, 'server/store/sqlite-worker.mjs'), join(dir, 'sqlite-worker.mjs'));
  return outfile;
}
