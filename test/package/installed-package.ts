import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCli } from '@/bin/bootstrap/build';
import { emitLibrary } from '@/bin/bootstrap/library';
import { ROOT } from '@/test/support/source-tree';

const execute = promisify(execFile);

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** The folder of somebody who installed the package. */
export interface Installed {
  /** Paths inside the package, without a leading slash. */
  files: string[];
  /** Size of what is downloaded. */
  packedBytes: number;
  write: (path: string, text: string) => Promise<void>;
  /** A program of ours, by the name under which npm links it. */
  program: (name: 'lockscope' | 'qoderwakectl', ...args: string[]) => Promise<Ran>;
  node: (...args: string[]) => Promise<Ran>;
  tsc: (...args: string[]) => Promise<Ran>;
  /** `lockscope start`, its output piped. */
  start: () => ChildProcess;
  list: (path: string) => Promise<string[]>;
  remove: () => Promise<void>;
}

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** `npm pack` as it stands: the pages are those of the last build, everything else is made anew. */
async function pack(into: string): Promise<Packed> {
  if (
    !existsSync(join(ROOT, '.next', 'BUILD_ID')) ||
    !existsSync(join(ROOT, 'dist', 'server.js'))
  ) {
    throw new Error('there are no pages to pack: run `npm run build` (npm test does) before');
  }
  await emitLibrary();
  await ensureCli();
  const flags = ['--json', '--ignore-scripts', '--pack-destination', into];
  const { stdout } = await execute('npm', ['pack', ...flags], { cwd: ROOT });
  // npm prints one entry for each package that it packed.
  const [packed] = JSON.parse(stdout) as Packed[];
  if (!packed) throw new Error(`npm pack packed nothing: ${stdout}`);
  return packed;
}

/** Its packages are those of the checkout: nothing is fetched. */
async function linkPackages(modules: string): Promise<void> {
  const names = await readdir(join(ROOT, 'node_modules'));
  const wanted = names.filter((name) => !name.startsWith('.') && name !== 'lockscope');
  for (const name of wanted)
    await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
}

/** Packs, unpacks where npm would, and links the programs as npm does. */
export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'lockscope-package-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  const packed = await pack(folder);
  await linkPackages(modules);
  await execute('tar', ['-xzf', join(folder, packed.filename), '-C', modules]);
  await execute('mv', [join(modules, 'package'), join(modules, 'lockscope')]);
  for (const name of ['lockscope', 'qoderwakectl'])
    await symlink('../lockscope/bin/lockscope.js', join(modules, '.bin', name));
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "type": "module" }\n');

  const env = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test' as const };
  const node = async (...args: string[]): Promise<Ran> =>
    await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  return {
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    write: async (path, text) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    program: (name, ...args) => node(join(modules, '.bin', name), ...args),
    node,
    tsc: (...args) => node(join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...args),
    start: () =>
      spawn(process.execPath, [join(modules, '.bin', 'lockscope'), 'start'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    list: async (path) => await readdir(join(folder, path)),
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}
