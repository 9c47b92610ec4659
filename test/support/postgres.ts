import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '@/test/support/free-port';
import { until } from './until';

const run = promisify(execFile);

export interface TestPostgres {
  /** Of a database of its own, empty at each call. */
  newDatabase: () => Promise<string>;
  /** SIGINT: ends every connection and stops at once. `start` brings it back on the same port. */
  interrupt: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

interface User {
  uid: number;
  gid: number;
}

/** Starts a throw-away cluster on a free port of 127.0.0.1, or says why that is impossible here. */
export async function startPostgres(): Promise<TestPostgres | { unavailable: string }> {
  const bin = await findBinaries();
  if (!bin) return { unavailable: 'no PostgreSQL server is installed (initdb, postgres)' };
  const user = await serverUser();
  if (user === 'none') {
    return { unavailable: 'PostgreSQL refuses to run as root, and no other user was found' };
  }
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-postgres-'));
  if (user) await chown(dir, user.uid, user.gid);
  await chmod(dir, 0o700);
  const data = join(dir, 'data');
  const as = user ?? {};
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'lockscope', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...as, cwd: dir },
  );
  return createCluster({ bin, dir, data, as, port: await freePort() });
}

async function createCluster(options: {
  bin: string;
  dir: string;
  data: string;
  as: Partial<User>;
  port: number;
}): Promise<TestPostgres> {
  const { bin, dir, data, as, port } = options;
  let child: ChildProcess | null = null;
  let databases = 0;
  const urlOf = (name: string): string => `postgres://lockscope@127.0.0.1:${port}/${name}`;
  const start = async (): Promise<void> => {
    child = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', dir],
      { ...as, cwd: dir, stdio: 'ignore' },
    );
    await until('PostgreSQL answers', () => answers(urlOf('postgres')));
  };
  const interrupt = async (): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null) return;
    const exited = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
    ending.kill('SIGINT');
    await exited;
  };
  await start();
  return {
    newDatabase: async () => {
      const name = `test_${++databases}`;
      await withClient(urlOf('postgres'), (client) => client.query(`create database ${name}`));
      return urlOf(name);
    },
    interrupt,
    start,
    stop: async () => {
      await interrupt();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Runs `work` on a connection of its own, for looking and tampering behind the store's back. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    // Not yet: `until` asks again and fails in the end.
    return false;
  }
}

async function findBinaries(): Promise<string | null> {
  const onPath = (process.env.PATH ?? '').split(':');
  const linked = await Promise.all(
    onPath
      .filter((dir) => existsSync(join(dir, 'postgres')))
      .map(async (dir) => dirname(await realpath(join(dir, 'postgres')))),
  );
  const packaged = existsSync('/usr/lib/postgresql')
    ? (await readdir('/usr/lib/postgresql')).sort().map((v) => `/usr/lib/postgresql/${v}/bin`)
    : [];
  const isComplete = (dir: string): boolean =>
    ['initdb', 'postgres'].every((name) => existsSync(join(dir, name)));
  return [...linked, ...onPath, ...packaged.reverse()].find(isComplete) ?? null;
}

/** Null = the present user will do. */
async function serverUser(): Promise<User | 'none' | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (which) => Number((await run('id', [which, name])).stdout)),
      );
      if (uid && gid) return { uid, gid };
    } catch {
      // No such user here: the next may exist.
    }
  }
  return 'none';
}
