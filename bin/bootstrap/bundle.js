import { build } from 'esbuild';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
  try {
    await bundle({ [`perf/bench-${name}`]: source, ...benchWorkers(name) });
  } catch (error) {
    throw new SetUpError(`the bench does not build:\n${error.message}`);
  }
  return join(ROOT, 'dist', 'perf', `bench-${name}.js`);
}

/** Loads what a command does not need only when it asks, so native modules and databases stay outside. */
const NOT_IN_CLI = ['better-sqlite3', 'pg', 'pg-native', 'kysely'];
const CHUNK = 'cli-chunk-';

/**
 * The command line: dist/cli.js with its packages inside, because a hundred small files would take longer
 * to open than a command takes to run. Returns the sources that it was made from, by path in the checkout.
 */
export async function bundleCli() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { cli: 'server/cli/index.ts' },
    outdir: join(ROOT, 'dist'),
    chunkNames: `${CHUNK}[hash]`,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22.12',
    format: 'esm',
    external: NOT_IN_CLI,
    // Packages of the older module kind ask for Node's own by `require`.
    banner: {
      js: "import { createRequire as lockscopeRequire } from 'node:module'; const require = lockscopeRequire(import.meta.url);",
    },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  // The entry last, and each by a rename: another command may start at the same moment.
  const files = outputFiles.sort((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
  for (const { path, contents } of files) replaceFile(path, contents);
  const kept = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(join(ROOT, 'dist'))) {
    if (name.startsWith(CHUNK) && !kept.has(name))
      rmSync(join(ROOT, 'dist', name), { force: true });
  }
  cpSync(join(ROOT, WORKER), join(ROOT, 'dist', basename(WORKER)));
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
}

const isEntry = (path) => basename(path) === 'cli.js';

function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(dirname(path), `.${process.pid}-${basename(path)}`);
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}

/** The performance scripts, with a bare reader that they measure as a baseline. */
export async function bundlePerf() {
  await bundle({
    'perf/main': 'test/perf/index.ts',
    'perf/ioredis-reader': 'test/perf/ioredis-reader.ts',
    'perf/store-worker': 'test/perf/store/worker.ts',
    ...benchWorkers('lock'),
  });
  cpSync(join(ROOT, WORKER), join(ROOT, 'dist', 'perf', basename(WORKER)));
}
