import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alert, AlertCode } from '@/lib/protocol/alert';
import { bytesFromText, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Lock, LockDetail } from '@/lib/protocol/lock';
import type { QueryName, QueryResult } from '@/lib/protocol/queries';
import { freePort } from '@/test/support/free-port';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

export const ADMIN_TOKEN = 'test-admin-token-of-at-least-32-characters';
const READY_LINE = /(?:lockscope ready |"ready":")(http:\/\/[^\s"]+)/;

export interface Answer<T = unknown> {
  status: number;
  body: T;
}

export interface TestConsole {
  url: string;
  pid: number;
  /** Its database and secrets. */
  dataDir: string;
  /** Everything it has printed so far. */
  output: () => string;
  /** Of that, what is on stdout. */
  stdout: () => string;
  /** GET under /api/v1 with the admin token, or `token`; fails on any other status than 200. */
  get: <T>(path: string) => Promise<T>;
  /** Any request; the answer as it is. */
  request: <T>(method: string, path: string, options?: RequestOptions) => Promise<Answer<T>>;
  query: <N extends QueryName>(name: N, params?: Record<string, string>) => Promise<QueryResult<N>>;
  /** The lock as listed, or undefined. `key` is text, or bytes given as `{bytes}`. */
  lock: (key: KeyName, db?: number) => Promise<Lock | undefined>;
  /** The lock's page, or undefined when not found. */
  detail: (key: KeyName, db?: number) => Promise<LockDetail | undefined>;
  /** Waits until the lock's holder has been read and is `owner`; its version can then be repeated. */
  heldBy: (key: KeyName, owner: string, db?: number) => Promise<LockDetail>;
  /** Alerts with that code, open and resolved. */
  alerts: (code: AlertCode) => Promise<Alert[]>;
  release: (key: KeyName, body: object, db?: number) => Promise<Answer<Record<string, unknown>>>;
  /** SIGTERM. Resolves to the exit code and how long it took; keeps the data for a restart. */
  terminate: () => Promise<{ code: number | null; tookMs: number }>;
  kill: () => Promise<void>;
  /** Starts again on the same data and port. */
  restart: () => Promise<void>;
  /** Ends it, by SIGKILL if it does not end by itself, and removes its data. */
  stop: () => Promise<void>;
}

export type KeyName = string | { bytes: Bytes };

interface RequestOptions {
  body?: unknown;
  /** Null sends no token. */
  token?: string | null;
  headers?: Record<string, string>;
}

export interface ConsoleOptions {
  redisUrl: string;
  /** Settings beyond the defaults of a test. */
  env?: Record<string, string>;
  /** Behind the command. */
  args?: readonly string[];
}

function emptyFile(folder: string): string {
  const path = join(folder, 'empty.yaml');
  writeFileSync(path, '');
  return path;
}

/** What a test's console is told unless the test says otherwise. */
function settings(options: ConsoleOptions, dataDir: string, port: number): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LOCKSCOPE_'));
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // An empty file, so that the settings of whoever runs the tests play no part.
    LOCKSCOPE_CONFIG: emptyFile(dataDir),
    LOCKSCOPE_REDIS_URL: options.redisUrl,
    LOCKSCOPE_ADMIN_TOKEN: ADMIN_TOKEN,
    LOCKSCOPE_DATA_DIR: dataDir,
    LOCKSCOPE_PORT: `${port}`,
    LOCKSCOPE_HOST: '127.0.0.1',
    LOCKSCOPE_ALLOW_INSECURE_REDIS: '1',
    ...options.env,
  };
}

interface Running {
  pid: number;
  output: () => string;
  stdout: () => string;
  /** Exit code, null after a signal. */
  exited: Promise<number | null>;
  signal: (name: NodeJS.Signals) => void;
}

function spawnConsole(env: NodeJS.ProcessEnv, args: readonly string[] = []): Running {
  const program = join(ROOT, 'dist', 'server.js');
  if (!existsSync(program)) {
    throw new Error(
      'dist/server.js is missing: run `npm run build` (npm test does) before these tests',
    );
  }
  const child = spawn(process.execPath, ['--enable-source-maps', program, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    stdout: () => stdout,
    exited,
    signal: (name) => void child.kill(name),
  };
}

/** Starts the built console and returns what it printed and how it ended; for starts that must fail. */
export async function runConsole(
  options: ConsoleOptions,
): Promise<{ code: number | null; output: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-data-'));
  const running = spawnConsole(settings(options, dataDir, await freePort()));
  const timer = setTimeout(() => running.signal('SIGKILL'), 100_000);
  const code = await running.exited;
  clearTimeout(timer);
  await rm(dataDir, { recursive: true, force: true });
  return { code, output: running.output() };
}

async function startReady(
  env: NodeJS.ProcessEnv,
  args?: readonly string[],
): Promise<Running & { url: string }> {
  const running = spawnConsole(env, args);
  let ended = false;
  void running.exited.then(() => (ended = true));
  const url = await until(
    'the console is ready',
    () => {
      if (ended) throw new Error(`the console ended before it was ready:\n${running.output()}`);
      return READY_LINE.exec(running.output())?.[1];
    },
    100_000,
  ).catch((error: unknown) => {
    running.signal('SIGKILL');
    throw new Error(`${String(error)}\n${running.output()}`);
  });
  return { ...running, url };
}

const keyBytes = (key: KeyName): Bytes =>
  typeof key === 'string' ? bytesFromText(key) : key.bytes;

/** Starts the built console on a free port with a data folder of its own and waits until it is ready. */
export async function startConsole(options: ConsoleOptions): Promise<TestConsole> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-data-'));
  const env = settings(options, dataDir, await freePort());
  let running = await startReady(env, options.args);
  let target: string | undefined;

  async function request<T>(
    method: string,
    path: string,
    { body, token = ADMIN_TOKEN, headers = {} }: RequestOptions = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${running.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parseJson(text) as T };
  }

  async function get<T>(path: string): Promise<T> {
    const answer = await request<T>('GET', `/api/v1${path}`);
    if (answer.status === 200) return answer.body;
    throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async function query<N extends QueryName>(
    name: N,
    params: Record<string, string> = {},
  ): Promise<QueryResult<N>> {
    const search = new URLSearchParams(params).toString();
    return await get<QueryResult<N>>(`/${name}${search ? `?${search}` : ''}`);
  }

  async function lockPath(key: KeyName, db: number): Promise<string> {
    target ??= (await query('targets'))[0]?.id;
    return `/api/v1/locks/${encodeURIComponent(target ?? '')}/${db}/${toBase64Url(keyBytes(key))}`;
  }

  async function detail(key: KeyName, db = 0): Promise<LockDetail | undefined> {
    const answer = await request<LockDetail>('GET', await lockPath(key, db));
    return answer.status === 200 ? answer.body : undefined;
  }

  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.pid;
    },
    dataDir,
    output: () => running.output(),
    stdout: () => running.stdout(),
    get,
    request,
    query,
    lock: async (key, db = 0) => {
      const keyB64 = toBase64Url(keyBytes(key));
      const page = await query('locks', { limit: '1000' });
      return page.items.find((lock) => lock.keyB64 === keyB64 && lock.db === db);
    },
    detail,
    heldBy: async (key, owner, db = 0) =>
      await until(`held by ${owner}`, async () => {
        const found = await detail(key, db);
        return found?.hold?.owner.id === owner ? found : undefined;
      }),
    alerts: async (code) => (await query('alerts', { code })).items,
    release: async (key, body, db = 0) =>
      await request('POST', `${await lockPath(key, db)}/release`, { body }),
    terminate: async () => {
      const startedAt = performance.now();
      running.signal('SIGTERM');
      return { code: await running.exited, tookMs: performance.now() - startedAt };
    },
    kill: async () => {
      running.signal('SIGKILL');
      await running.exited;
    },
    restart: async () => {
      running = await startReady(env, options.args);
    },
    stop: async () => {
      running.signal('SIGTERM');
      const timer = setTimeout(() => running.signal('SIGKILL'), 8000);
      await running.exited;
      clearTimeout(timer);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** JSON where it is JSON, else the text: an error page must be readable in a failed test. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
