import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { captureChild } from './child.js';
import { oneAtATime } from './one-at-a-time.js';
import { ROOT } from './root.js';
import { SetUpError, say } from './say.js';

const SOURCE_FOLDERS = ['app', 'components', 'lib', 'server', 'public'];
const SOURCE_FILES = ['package.json', 'package-lock.json', 'next.config.js', 'tsconfig.json'];
const STAMP = join(ROOT, 'dist', 'built-from');
const PRODUCTS = [
  'dist/server.js',
  'dist/sqlite-worker.mjs',
  'dist/demo.js',
  'dist/lock/index.js',
  'dist/provider/index.d.ts',
  '.next/BUILD_ID',
];

/** SHA-256 over names and contents of everything a build reads, this recipe included. */
function hashSources() {
  const hash = createHash('sha256');
  const files = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  files.push(...SOURCE_FILES.map((file) => join(ROOT, file)));
  for (const recipe of ['bundle.js', 'library.js']) {
    files.push(join(ROOT, 'bin', 'bootstrap', recipe));
  }
  for (const file of files.sort()) {
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function isFresh(sources) {
  if (!PRODUCTS.every((product) => existsSync(join(ROOT, product)))) return false;
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
}

async function buildPages() {
  const next = join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const { code, output } = await captureChild(process.execPath, [next, 'build'], { env });
  if (code !== 0) throw new SetUpError(`the pages do not build:\n${output}`);
}

/** esbuild is loaded when it is needed: an installed package has none. */
async function bundle() {
  const { bundleServer } = await import('./bundle.js');
  try {
    await bundleServer();
  } catch (error) {
    throw new SetUpError(`the server does not build:\n${error.message}`);
  }
}

/** Builds pages, server and library when missing or made from other sources; after another process that does so here. */
export async function ensureBuild() {
  if (isFresh(hashSources())) return;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  await oneAtATime(join(ROOT, 'dist', 'building'), {
    work: build,
    onWait: () => say('waiting for another command that builds here…'),
  });
}

async function build() {
  const sources = hashSources();
  if (isFresh(sources)) return;
  say('building the pages, the server and the lock client…');
  rmSync(STAMP, { force: true });
  await bundle();
  const { emitLibrary } = await import('./library.js');
  await emitLibrary();
  // Its service would stay as long as what runs on the build.
  const { stop } = await import('esbuild');
  await stop();
  await buildPages();
  writeFileSync(STAMP, sources);
}

const CLI = join(ROOT, 'dist', 'cli.js');
const CLI_STAMP = join(ROOT, 'dist', 'cli-built-from.json');
const CLI_RECIPE = ['bin/bootstrap/bundle.js', 'package-lock.json', 'tsconfig.json'];

/** SHA-256 over the named files; a missing one counts as empty. */
function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const file = join(ROOT, path);
    hash.update(path).update('\0');
    if (existsSync(file)) hash.update(readFileSync(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

const changedSince = (path, at) => {
  const file = join(ROOT, path);
  return existsSync(file) && statSync(file).mtimeMs >= at;
};

function isCliFresh() {
  if (!existsSync(CLI) || !existsSync(CLI_STAMP)) return false;
  try {
    const { sources, hash } = JSON.parse(readFileSync(CLI_STAMP, 'utf8'));
    return hash === hashFiles([...CLI_RECIPE, ...sources]);
  } catch {
    // Cut short while it was written: as good as missing, and the command line is built anew.
    return false;
  }
}

/**
 * Builds the command line alone, when one of the files that it was made from has changed, and returns its
 * path. An installed package has no sources and brings it ready.
 */
export async function ensureCli() {
  if (!existsSync(join(ROOT, 'server', 'cli', 'index.ts')) || isCliFresh()) return CLI;
  const { bundleCli } = await import('./bundle.js');
  try {
    const startedAt = Date.now();
    const sources = await bundleCli();
    const all = [...CLI_RECIPE, ...sources];
    // What was saved meanwhile may be in the bundle or not: without a stamp the next call builds again.
    if (all.some((path) => changedSince(path, startedAt))) return CLI;
    writeFileSync(CLI_STAMP, JSON.stringify({ hash: hashFiles(all), sources }));
  } catch (error) {
    throw new SetUpError(`the command line does not build:\n${error.message}`);
  }
  return CLI;
}
