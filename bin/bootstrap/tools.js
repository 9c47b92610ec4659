import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { captureChild } from './child.js';
import { say } from './say.js';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHROMIUM_PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
const REDIS_FLOOR = 7;

/** How each package manager installs a tool; the first one on the PATH is used. */
const MANAGERS = [
  {
    program: 'apt-get',
    before: ['update', '-qq'],
    install: ['install', '-y', '-qq', '--no-install-recommends'],
    packages: { 'redis-server': 'redis-server', chromium: 'chromium' },
    needsRoot: true,
  },
  {
    program: 'dnf',
    before: null,
    install: ['install', '-y', '-q'],
    packages: { 'redis-server': 'redis', chromium: 'chromium' },
    needsRoot: true,
  },
  {
    program: 'apk',
    before: null,
    install: ['add', '--quiet', '--no-cache'],
    packages: { 'redis-server': 'redis', chromium: 'chromium' },
    needsRoot: true,
  },
  {
    program: 'brew',
    before: null,
    install: ['install', '--quiet'],
    packages: { 'redis-server': 'redis', chromium: 'chromium' },
    needsRoot: false,
  },
];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: both mean that it cannot be used.
    return false;
  }
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** Major version of a redis-server, 0 when it does not say. */
function redisMajor(path) {
  const text = execFileSync(path, ['--version'], { encoding: 'utf8' });
  return Number(/v=(\d+)\./.exec(text)?.[1] ?? 0);
}

/** Path of a redis-server of version 7 or newer on the PATH, or null. */
export function findRedisServer() {
  const path = onPath('redis-server');
  return path && redisMajor(path) >= REDIS_FLOOR ? path : null;
}

/** Path of a Chromium or Chrome, or null. */
export function findChromium() {
  for (const name of CHROMIUM_NAMES) {
    const path = onPath(name);
    if (path) return path;
  }
  return CHROMIUM_PLACES.find(isExecutable) ?? null;
}

/** Path of a Java that can run a program from its source, where Maven is beside it, or null. */
export function findJava() {
  return onPath('javac') && onPath('mvn') ? onPath('java') : null;
}

/** `[]` as root, `['sudo', '-n']` where that works without a question, else null. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (!onPath('sudo')) return null;
  const { code } = await captureChild('sudo', ['-n', 'true']);
  return code === 0 ? ['sudo', '-n'] : null;
}

async function install(tool) {
  const manager = MANAGERS.find(({ program }) => onPath(program));
  if (!manager) return false;
  const prefix = manager.needsRoot ? await rootPrefix() : [];
  if (!prefix) return false;
  const name = manager.packages[tool];
  say(`${tool} is missing: installing the package ${name} with ${manager.program}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [manager.before, [...manager.install, name]]) {
    if (!args) continue;
    const [program, ...rest] = [...prefix, manager.program, ...args];
    const { code, output } = await captureChild(program, rest, { env });
    if (code !== 0) say(`${manager.program} ${args[0]} ended with code ${code}: ${output.trim()}`);
  }
  return true;
}

async function ensure(tool, find) {
  const found = find();
  if (found) return found;
  await install(tool);
  return find();
}

/** Finds redis-server ≥ 7, or installs it with the system's package manager. Null when neither works. */
export const ensureRedisServer = () => ensure('redis-server', findRedisServer);

/** Finds Chromium, or installs it with the system's package manager. Null when neither works. */
export const ensureChromium = () => ensure('chromium', findChromium);

export const HOW_TO_GET = {
  'redis-server 6.2':
    'Python with pip, on Linux on x86-64, is needed to fetch an old Redis; without it one test is left out.',
  'redis-server':
    'Redis 7 or newer is needed: install it (https://redis.io/docs/latest/operate/oss_and_stack/install/) so that `redis-server` is on the PATH, and run this again.',
  chromium: 'Chromium is needed: install it so that `chromium` is on the PATH, and run this again.',
  java: 'A JDK (11 or newer) and Maven are needed to lock beside Redisson; without them those tests are left out.',
};
