import { build } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from './child.js';
import { ROOT } from './root.js';
import { SetUpError } from './say.js';

const DIST = join(ROOT, 'dist');
const DECLARATIONS = join(DIST, 'declarations');
const PROVIDER = 'server/lock-provider';
const ENTRY = 'open-lock-provider';
const OF_LOCK_CLIENT = '@/lib/lock/';

async function compile(project) {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await captureChild(process.execPath, [tsc, '-p', join(ROOT, project)]);
  if (code !== 0) throw new SetUpError(`${project} does not build:\n${output}`);
}

/** `lockscope/lock` and what stands on it: one module for each source, so that nobody loads what it does not use. */
async function emitLockClient() {
  rmSync(join(DIST, 'lock'), { recursive: true, force: true });
  await compile('lib/lock/tsconfig.json');
}

/** The modules of the lock client are those of dist/lock: a second copy would make second classes of its errors. */
const sharesLockClient = {
  name: 'shares-lock-client',
  setup(bundle) {
    bundle.onResolve({ filter: /^@\/lib\/lock\// }, ({ path }) => ({
      path: inPackage(path),
      external: true,
    }));
  },
};

/** `@/lib/lock/contract` as dist/provider/ calls it. */
const inPackage = (path) => `../lock/${path.slice(OF_LOCK_CLIENT.length)}.js`;

async function bundleProvider() {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { index: `${PROVIDER}/${ENTRY}.ts` },
    outdir: join(DIST, 'provider'),
    bundle: true,
    platform: 'node',
    target: 'node22.12',
    format: 'esm',
    packages: 'external',
    plugins: [sharesLockClient],
    sourcemap: true,
    logLevel: 'silent',
  });
}

/** Two declarations suffice: the entry's, and the contract that it names. Their imports become those of the package. */
async function declareProvider() {
  await compile(`${PROVIDER}/tsconfig.json`);
  for (const [from, to] of Object.entries({ [ENTRY]: 'index', contract: 'contract' })) {
    const text = readFileSync(join(DECLARATIONS, PROVIDER, `${from}.d.ts`), 'utf8')
      .replaceAll(/'(@\/lib\/lock\/[^']+)'/g, (_, path) => `'${inPackage(path)}'`)
      .replaceAll(/'(\.\/[^']+)'/g, "'$1.js'");
    writeFileSync(join(DIST, 'provider', `${to}.d.ts`), text);
  }
  rmSync(DECLARATIONS, { recursive: true });
}

/** What other programs import: dist/lock and dist/provider, with their declarations. */
export async function emitLibrary() {
  mkdirSync(DIST, { recursive: true });
  await emitLockClient();
  try {
    await bundleProvider();
  } catch (error) {
    throw new SetUpError(`the lock provider does not build:\n${error.message}`);
  }
  await declareProvider();
}
