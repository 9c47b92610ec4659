import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from '@/bin/bootstrap/child.js';
import { ROOT } from '@/bin/bootstrap/root.js';
import { PEERS_FOLDER } from '@/test/perf/lock/peers-folder';

const SOURCE = join(ROOT, 'test', 'perf', 'lock', 'peers');

interface Peer {
  /** Its adapter's file, and its name in figures and tables. */
  name: string;
  /** As peers/package.json names it. */
  packageName: string;
}

export const PEERS: readonly Peer[] = [
  { name: 'redlock4', packageName: 'redlock4' },
  { name: 'redlock5', packageName: 'redlock5' },
  { name: 'sesamecare', packageName: '@sesamecare-oss/redlock' },
  { name: 'redis-semaphore', packageName: 'redis-semaphore' },
  { name: 'redlock-universal', packageName: 'redlock-universal' },
  { name: 'node-redisson', packageName: 'node-redisson' },
  { name: 'microfleet', packageName: '@microfleet/ioredis-lock' },
  { name: 'verrou', packageName: '@verrou/core' },
];

const read = (path: string): string | null =>
  existsSync(path) ? readFileSync(path, 'utf8') : null;

async function install(): Promise<void> {
  const wanted = read(join(SOURCE, 'package.json'));
  const isFresh = read(join(PEERS_FOLDER, 'package.json')) === wanted;
  mkdirSync(PEERS_FOLDER, { recursive: true });
  for (const file of readdirSync(SOURCE)) cpSync(join(SOURCE, file), join(PEERS_FOLDER, file));
  if (isFresh && existsSync(join(PEERS_FOLDER, 'node_modules', '.package-lock.json'))) return;
  process.stderr.write('lockscope: installing the peers (npm install)…\n');
  // They ask for different majors of ioredis; each adapter takes the one that its peer asks for.
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
  const { code, output } = await captureChild('npm', args, { cwd: PEERS_FOLDER });
  if (code !== 0) process.stderr.write(`${output.trimEnd()}\n`);
}

/** Installs the peers. Answers the names of those that are there; says which are not. */
export async function installPeers(names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  await install();
  return PEERS.filter(({ name }) => names.includes(name)).flatMap(({ name, packageName }) => {
    if (existsSync(join(PEERS_FOLDER, 'node_modules', packageName))) return [name];
    process.stderr.write(`lockscope: ${packageName} could not be installed and is left out\n`);
    return [];
  });
}
