import { build } from 'esbuild';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';

/** What a process of a fleet runs: the real lock, one that is broken on purpose, or the real one's other kinds. */
export type ChildProgram = 'lockscope-child' | 'toy-child' | 'crowd-child';

export interface Bundle {
  /** Path of the program, to be run by Node. */
  path: string;
  remove: () => Promise<void>;
}

/** Bundles a process of the fleet. It has to lie inside the checkout, where its packages are found. */
export async function bundleChild(program: ChildProgram): Promise<Bundle> {
  const results = join(ROOT, 'test', 'results');
  await mkdir(results, { recursive: true });
  const folder = await mkdtemp(join(results, 'lock-fleet-'));
  const path = join(folder, 'child.mjs');
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`test/support/lock-fleet/${program}.ts`],
    outfile: path,
    bundle: true,
    platform: 'node',
    target: 'node22.12',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return { path, remove: async () => await rm(folder, { recursive: true, force: true }) };
}
