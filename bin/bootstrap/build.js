import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from './child.js';
import { ROOT } from './root.js';
import { SetUpError, say } from './say.js';

const SOURCE_FOLDERS = ['app', 'components', 'lib', 'server', 'public'];
const SOURCE_FILES = ['package.json', 'package-lock.json', 'next.config.js', 'tsconfig.json'];
const STAMP = join(ROOT, 'dist', 'built-from');
const PRODUCTS = ['dist/server.js', 'dist/sqlite-worker.mjs', 'dist/demo.js', '.next/BUILD_ID'];

/** SHA-256 over names and contents of everything a build reads, this recipe included. */
function hashSources() {
  const hash = createHash('sha256');
  const files = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  files.push(...SOURCE_FILES.map((file) => join(ROOT, file)));
  files.push(join(ROOT, 'bin', 'bootstrap', 'bundle.js'));
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

async function bundle() {
  const { bundleServer } = await import('./bundle.js');
  try {
    await bundleServer();
  } catch (error) {
    throw new SetUpError(`the server does not build:\n${error.message}`);
  }
}

/** Builds pages and server when missing or made from other sources. */
export async function ensureBuild() {
  const sources = hashSources();
  if (isFresh(sources)) return;
  say('building the pages and the server…');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  rmSync(STAMP, { force: true });
  await bundle();
  await buildPages();
  writeFileSync(STAMP, sources);
}
