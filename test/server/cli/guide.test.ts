import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLockProvider, type LockProvider } from '@/server/lock-provider/index';
import { stderrLog } from '@/server/lock-provider/stderr-log';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const PASSWORD = 'aBc$9xY!2';
const LOG_TEMPLATE = 'log_analysis:${event.log_id}';
const EVENT = { log_id: 'LOG-20260612-7789' };
const NAME = 'log_analysis:LOG-20260612-7789';

let redis: TestRedis;
/** A deployment: its config/lock.yaml, and `qoderwakectl` as it would stand on the PATH. */
let folder: string;
let lines: string[] = [];
const opened: LockProvider[] = [];

beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  folder = await mkdtemp(join(tmpdir(), 'lockscope-guide-'));
  await mkdir(join(folder, 'config'));
  await symlink(join(ROOT, 'bin', 'lockscope.js'), join(folder, 'qoderwakectl'));
});
afterAll(async () => {
  await redis.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  lines = [];
  await redis.client().flushall();
  await configure();
});
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
});

const configPath = (): string => join(folder, 'config', 'lock.yaml');

/** config/lock.yaml as the guide shows it, with our host and port. */
async function configure(change: { db?: number; more?: string[] } = {}): Promise<void> {
  const { db = 2, more = [] } = change;
  const fields = [
    'enabled: true',
    `redis_url: redis://127.0.0.1:${redis.port}/${db}`,
    `redis_password: "${PASSWORD}"`,
    ...more,
  ];
  await writeFile(configPath(), ['redis-lock-provider:', ...fields].join('\n  '));
}

/** One instance of the service, whose task declares its own `lock_key_template`. */
async function instance(templates = LOG_TEMPLATE): Promise<LockProvider> {
  const provider = await openLockProvider({
    configPath: configPath(),
    env: {},
    templates,
    log: stderrLog({ write: (line) => lines.push(line) }),
  });
  opened.push(provider);
  return provider;
}

interface Ran {
  code: number;
  out: string;
}

function start(program: string, args: string[]): Promise<Ran> {
  const env = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test' as const };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env }, (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    );
  });
}

const qoderwakectl = (...args: string[]): Promise<Ran> =>
  start(process.execPath, [join(folder, 'qoderwakectl'), ...args]);

const redisCli = (...args: string[]): Promise<Ran> =>
  start('redis-cli', ['-h', '127.0.0.1', '-p', `${redis.port}`, '-a', PASSWORD, ...args]);

describe('the guide, step by step', () => {
  it('status --module=lock says active once config/lock.yaml is filled in', async () => {
    const { code, out } = await qoderwakectl('status', '--module=lock');
    expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: 'lock: active' });
  });

  it('the second request for one log logs WAITING_FOR_LOCK until the first lets go', async () => {
    const [first, second] = [await instance(), await instance()];
    const order: string[] = [];
    const { promise: letGo, resolve } = Promise.withResolvers<void>();
    const working = first.using(EVENT, async () => {
      order.push('first begins');
      await letGo;
      order.push('first ends');
    });
    await until('the first has begun', () => order.length === 1);
    const waiting = second.using(EVENT, () => order.push('second begins'));
    await until('the second says so', () =>
      lines.some((line) => line.includes('WAITING_FOR_LOCK')),
    );
    resolve();
    await Promise.all([working, waiting]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins']);
  });

  it('keys "qoder:lock:*" shows the lock, with 30 to 120 s to live', async () => {
    await using held = await (await instance()).lockFor(EVENT).acquire();
    const { out } = await redisCli('-n', '2', 'keys', 'qoder:lock:*');
    expect(out.trim()).toBe(`qoder:lock:${NAME}`);
    const ttl = Number((await redisCli('-n', '2', 'ttl', held.key)).out);
    expect(ttl).toBeGreaterThan(30);
    expect(ttl).toBeLessThanOrEqual(120);
  });

  it('a lock_timeout_ms of 100 brings LockAcquisitionTimeoutException', async () => {
    await using _held = await (await instance()).lockFor(EVENT).acquire();
    await configure({ more: ['lock_timeout_ms: 100'] });
    const second = await instance();
    await expect(second.using(EVENT, () => 'done')).rejects.toMatchObject({
      name: 'LockAcquisitionTimeoutException',
      message: expect.stringContaining(NAME),
    });
  });
});

describe('the pitfalls of the guide', () => {
  it('instances with different db numbers are told of each other', async () => {
    await configure({ db: 5 });
    await using _held = await (await instance()).lockFor(EVENT).acquire();
    await configure({ db: 2 });
    const status = await qoderwakectl('status', '--module=lock');
    expect(status.code).toBe(1);
    expect(status.out).toMatch(/^lock: inactive\n.*db-mismatch: .*db 5/);
    expect((await qoderwakectl('doctor')).out).toMatch(/✗ db-mismatch/);
  });

  it('an event without its log_id is refused by name, and its empty lock found', async () => {
    const provider = await instance();
    await expect(provider.using({}, () => 'done')).rejects.toMatchObject({
      code: 'TEMPLATE_VARIABLE_MISSING',
      message: expect.stringContaining('event.log_id'),
    });
    await redis.client({ db: 2 }).hset('qoder:lock:log_analysis:', 'elsewhere:1', '1');
    expect((await qoderwakectl('doctor')).out).toMatch(/✗ empty-keys .*log_analysis:"/);
  });

  it('a retry delay below 1.5 times the lock timeout is found', async () => {
    await configure({ more: ['lock_timeout_ms: 30000', 'retry_delay_ms: 20000'] });
    expect((await qoderwakectl('doctor')).out).toMatch(/✗ retry-delay[^]*at least 45000/);
    await configure({ more: ['lock_timeout_ms: 30000', 'retry_delay_ms: 45000'] });
    expect((await qoderwakectl('doctor')).out).toMatch(/✓ retry-delay/);
  });

  it('lock debug shows which IP holds the lock and what is left of its lease', async () => {
    await using held = await (await instance()).lockFor(EVENT).acquire();
    const record = `lockscope:instance:${held.owner.split(':')[0]}`;
    const client = redis.client({ db: 2 });
    const ip = await until('the instance is known', async () => await client.hget(record, 'ip'));
    const { code, out } = await qoderwakectl('lock', 'debug', '--key', NAME);
    expect(code).toBe(0);
    expect(out).toContain(ip);
    expect(out).toMatch(/lease.*\b(5\d|60)(\.\d+)? ?s/);
  });
});
