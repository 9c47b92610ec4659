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

/** Starts a real redis-server on a free port, without persistence. `flags` = notify-keyspace-events. */
export async function startRedis(
  options: {
    flags?: string;
    password?: string;
    port?: number;
    args?: string[];
    program?: string;
  } = {},
): Promise<TestRedis> {
  const port = options.port ?? (await freePort());
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-redis-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir];
  args.push('--notify-keyspace-events', options.flags ?? 'KEA');
  if (options.password) args.push('--requirepass', options.password);
  const child: ChildProcess = spawn(
    options.program ?? 'redis-server',
    [...args, ...(options.args ?? [])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const clients: Redis[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve();
    });
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
