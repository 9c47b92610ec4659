import { build } from 'esbuild';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './root.js';
import { SetUpError } from './say.js';

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

/** The programs that a bench starts as processes of their own: worker.ts, or anything-worker.ts, in its folder. */
function benchWorkers(name) {
  return Object.fromEntries(
    readdirSync(join(ROOT, 'test', 'perf', name))
      .filter((file) => /^(.+-)?worker\.ts$/.test(file))
      .map((file) => [`perf/bench-${name}-${basename(file, '.ts')}`, `test/perf/${name}/${file}`]),
  );
}

/** One bench: dist/perf/bench-<name>.js, whose path is returned, and bench-<name>-<worker>.js beside it. */
export async function bundleBench(name) {
  const source = `test/perf/${name}/index.ts`;
  if (!existsSync(join(ROOT, source))) throw new SetUpError(`${source} is missing.`);
  await bundle({ [`perf/bench-${name}`]: source, ...benchWorkers(name) });
  return join(ROOT, 'dist', 'perf', `bench-${name}.js`);
}

/** The performance scripts, with a bare reader that they measure as a baseline. */
export async function bundlePerf() {
  await bundle({
    'perf/main': 'test/perf/index.ts',
    'perf/ioredis-reader': 'test/perf/ioredis-reader.ts',
    ...benchWorkers('lock'),
  });
}
