import { build } from 'esbuild';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './root.js';

const WORKER = 'server/store/sqlite-worker.mjs';

/** Bundles into dist/, one file an entry. Packages stay in node_modules. */
async function bundle(entryPoints) {
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: join(ROOT, 'dist'),
    bundle: true,
    platform: 'node',
    target: 'node22.12',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'silent',
  });
}

/** The server, its database worker and the demo. */
export async function bundleServer() {
  await bundle({
    server: 'server/index.ts',
    demo: 'server/demo/index.ts',
    'demo-worker': 'server/demo/worker.ts',
  });
  // A worker thread is loaded by Node itself, from beside the bundle, as it is.
  cpSync(join(ROOT, WORKER), join(ROOT, 'dist', basename(WORKER)));
}

/** The performance scripts, with a bare reader that they measure as a baseline. */
export async function bundlePerf() {
  await bundle({
    'perf/main': 'test/perf/index.ts',
    'perf/ioredis-reader': 'test/perf/ioredis-reader.ts',
  });
}
