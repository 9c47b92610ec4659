import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bull, bullmq } from './libraries/job-locks.mjs';
import { nodeRedissons } from './libraries/node-redisson.mjs';
import { redisSemaphores } from './libraries/redis-semaphore.mjs';
import { redlock4, redlock5, sesamecare } from './libraries/redlock.mjs';
import { redlockUniversal } from './libraries/redlock-universal.mjs';
import { ioredisLock, locco, verrou, warlock } from './libraries/small.mjs';

/**
 * A library: its name here, the folder of its package, and `open`, which makes one client with a method an op.
 * Each method gets the lock's name and the request's options and returns what the client then knows.
 */
const LIBRARIES = [
  redlock4,
  redlock5,
  sesamecare,
  redlockUniversal,
  ...redisSemaphores,
  ...nodeRedissons,
  ioredisLock,
  warlock,
  verrou,
  locco,
  bullmq,
  bull,
];

const port = Number(process.argv[2]);
const clients = new Map();

/** Milliseconds since the epoch, with a fraction. */
const now = () => performance.timeOrigin + performance.now();
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function clientOf({ library, client, options }) {
  const [instance] = client.split('/');
  const id = `${library} ${instance}`;
  const open = clients.get(id);
  if (open) return open;
  const found = LIBRARIES.find(({ name }) => name === library);
  if (!found) throw new Error(`there is no library "${library}" here`);
  const tell = (name, message) =>
    say({ event: 'lost', library, client: instance, name, message, at: now() });
  const made = found.open({ port, options, tell });
  clients.set(id, made);
  return made;
}

/** What libraries throw when they waited in vain, and when the lock is not theirs, has no common name. */
const KIND_BY_OP = { acquire: 'not-acquired', release: 'not-held', extend: 'not-held' };

const kindOf = (op, error) =>
  error instanceof TypeError || error.code === 'ECONNREFUSED'
    ? 'other'
    : (KIND_BY_OP[op] ?? 'other');

async function answer(request) {
  const { id, op, client, name, options } = request;
  try {
    const held = clientOf(request);
    if (!held[op]) throw new TypeError(`${request.library} has no "${op}"`);
    const thread = client.split('/')[1] ?? '1';
    const value = await held[op](name, { ...options, thread });
    say({ id, ok: true, value: value ?? {}, at: now() });
  } catch (error) {
    const { name: errorName, message } = error;
    say({ id, ok: false, error: { kind: kindOf(op, error), name: errorName, message }, at: now() });
  }
}

function versionOf(folder) {
  const path = new URL(`./node_modules/${folder}/package.json`, import.meta.url);
  const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
  return { package: name, version: version.replace(/^v/, '') };
}

// A library that loses a lock may throw where nobody listens; it tells the application that way.
process.on('uncaughtException', (error) => process.stderr.write(`${error.stack}\n`));
process.on('unhandledRejection', (error) => process.stderr.write(`${error?.stack}\n`));

say({
  ready: true,
  libraries: Object.fromEntries(LIBRARIES.map(({ name, folder }) => [name, versionOf(folder)])),
  unavailable: {},
});
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void answer(JSON.parse(line)));
lines.on('close', () => process.exit(0));
