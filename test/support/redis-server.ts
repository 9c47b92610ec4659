import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort } from '@/test/support/free-port';

export interface TestRedis {
  port: number;
  pid: number;
  /** `redis://127.0.0.1:port/0`, with the password when one was asked for. */
  url: string;
  /** A client that is closed by `stop`. */
  client: (options?: RedisOptions) => Redis;
  /** SIGKILL: as a crash. `stop` still cleans up. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

interface RedisServerOptions {
  /** notify-keyspace-events. */
  flags?: string;
  password?: string;
  port?: number;
  args?: string[];
  program?: string;
  /** In cluster mode, with a free port for its bus. */
  isCluster?: boolean;
}

/** A port that was free may be another process's by the time the server asks for it. */
const MOST_PORTS = 5;

/** Starts a real redis-server, without persistence, on a free port unless one is given. */
export async function startRedis(options: RedisServerOptions = {}): Promise<TestRedis> {
  for (let tried = 1; ; tried++) {
    try {
      return await startOn(options.port ?? (await freePort()), options);
    } catch (error) {
      const isTaken = error instanceof PortTaken && options.port === undefined;
      if (!isTaken || tried === MOST_PORTS) throw error;
    }
  }
}

class PortTaken extends Error {}

async function startOn(port: number, options: RedisServerOptions): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-redis-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir];
  args.push('--notify-keyspace-events', options.flags ?? 'KEA');
  if (options.password) args.push('--requirepass', options.password);
  if (options.isCluster) {
    args.push('--cluster-enabled', 'yes', '--cluster-port', `${await freePort()}`);
  }
  const child: ChildProcess = spawn(
    options.program ?? 'redis-server',
    [...args, ...(options.args ?? [])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const clients: Redis[] = [];
  await untilReady(child).catch(async (error: unknown) => {
    await rm(dir, { recursive: true, force: true });
    throw error;
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const auth = options.password ? `:${encodeURIComponent(options.password)}@` : '';
  return {
    port,
    pid: child.pid as number,
    url: `redis://${auth}127.0.0.1:${port}/0`,
    client: (extra = {}) => {
      const client = new Redis({ port, host: '127.0.0.1', password: options.password, ...extra });
      clients.push(client);
      return client;
    },
    kill,
    stop: async () => {
      for (const client of clients) client.disconnect();
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('close', (code) => {
      const text = `redis-server ended with ${code}: ${said}`;
      reject(said.includes('Address already in use') ? new PortTaken(text) : new Error(text));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Ready to accept connections')) resolve();
    });
  });
}
