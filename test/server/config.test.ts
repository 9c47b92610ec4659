import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classTemplatesOf } from '@/server/class-templates';
import { atPort, loadConfig } from '@/server/config';
import { DEFAULT_RETENTION } from '@/server/store/tiers';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lockscope-config-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

const load = (env: Record<string, string>) =>
  loadConfig({ LOCKSCOPE_REDIS_URL: 'redis://u:p@h:6380/2', LOCKSCOPE_DATA_DIR: dir, ...env });

async function file(content: string): Promise<string> {
  const path = join(
    dir,
    `${Math.abs(Buffer.from(content).reduce((a, b) => (a * 31 + b) | 0, 7))}.yaml`,
  );
  await writeFile(path, content);
  return path;
}

describe('settings', () => {
  test('have the documented defaults and never show the password', () => {
    const config = load({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      longHoldMs: 60_000,
      noExpiryMs: 30_000,
      dbs: [2],
      watchEverything: false,
      redis: { db: 2, displayUrl: 'redis://h:6380/2' },
    });
  });

  test('tell how long history is kept', async () => {
    expect(load({}).retention).toEqual(DEFAULT_RETENTION);
    const own = {
      LOCKSCOPE_HISTORY: '10s:30m, 1m:12h',
      LOCKSCOPE_HISTORY_HOLDS: '36h',
      LOCKSCOPE_HISTORY_MAX_MB: '0',
    };
    expect(load(own).retention).toEqual({
      tiers: [
        { spanMs: 10_000, keepMs: 1_800_000 },
        { spanMs: 60_000, keepMs: 43_200_000 },
      ],
      keepHoldsMs: 129_600_000,
      maxBytes: null,
    });
    const path = await file('lockscope:\n  history_holds: 2d\n  history_max_mb: 100\n');
    expect(load({ LOCKSCOPE_CONFIG: path }).retention).toMatchObject({
      keepHoldsMs: 172_800_000,
      maxBytes: 100_000_000,
    });
  });

  test('of the environment win over the file', async () => {
    const path = await file(
      'redis-lock-provider:\n  enabled: true\n  redis_url: redis://10.24.1.5:6379/2\n  redis_password: "aBc$9xY!2"\nlockscope:\n  port: 4000\n',
    );
    const fromFile = load({ LOCKSCOPE_REDIS_URL: '', LOCKSCOPE_CONFIG: path });
    expect(fromFile.redis.url).toBe('redis://:aBc%249xY!2@10.24.1.5:6379/2');
    expect(fromFile.port).toBe(4000);
    expect(load({ LOCKSCOPE_CONFIG: path, LOCKSCOPE_PORT: '5000' })).toMatchObject({
      port: 5000,
      redis: { displayUrl: 'redis://h:6380/2' },
    });
  });

  test('separate `*` from patterns, and `*` dbs from numbers', () => {
    expect(load({ LOCKSCOPE_WATCH: 'order:*, *' })).toMatchObject({
      watchPatterns: ['order:*'],
      watchEverything: true,
    });
    expect(load({ LOCKSCOPE_DBS: '*' }).dbs).toBe('all');
    expect(load({ LOCKSCOPE_DBS: '0,5,5' }).dbs).toEqual([0, 5]);
  });

  test('take thresholds of single classes from the environment or the file', async () => {
    const path = await file('lockscope:\n  long_hold_ms_by_class:\n    "import:*": 900000\n');
    expect(load({}).longHoldMsByClass).toEqual(new Map());
    expect(load({ LOCKSCOPE_CONFIG: path }).longHoldMsByClass).toEqual(
      new Map([['import:*', 900_000]]),
    );
    const own = 'order:*=5000, a=b:*=7000';
    expect(
      load({ LOCKSCOPE_CONFIG: path, LOCKSCOPE_LONG_HOLD_MS_BY_CLASS: own }).longHoldMsByClass,
    ).toEqual(
      new Map([
        ['order:*', 5_000],
        ['a=b:*', 7_000],
      ]),
    );
  });

  test('declare lock classes, with what each lock_key_template stands for', async () => {
    const path = await file(
      'redis-lock-provider:\n  lock_key_template: ["sync:${event.order_no}:${event.line}", "${event.id}"]\n',
    );
    const given = { LOCKSCOPE_CONFIG: path, LOCKSCOPE_CLASSES: 'order:*:*, import:*' };
    expect(classTemplatesOf(load(given))).toEqual([
      'order:*:*',
      'import:*',
      'sync:*:*',
      'qoder:lock:sync:*:*',
    ]);
    expect(() => load({ LOCKSCOPE_CLASSES: '*:*' })).toThrow(/LOCKSCOPE_CLASSES must name more/);
  });

  test('keep the cookie secret over restarts', () => {
    expect(load({}).authSecret).toBe(load({}).authSecret);
    expect(load({}).authSecret.length).toBeGreaterThanOrEqual(32);
  });
});

describe('a bad setting is refused with one sentence that names it', () => {
  test.each([
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'http://x' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis+cluster://x:1' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://x/abc' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://u:%zz@x/0' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://x/0x1' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://' }],
    ['LOCKSCOPE_PORT', { LOCKSCOPE_PORT: '99999' }],
    ['LOCKSCOPE_PORT', { LOCKSCOPE_PORT: ' ' }],
    ['LOCKSCOPE_PORT', { LOCKSCOPE_PORT: '0x10' }],
    ['LOCKSCOPE_DBS', { LOCKSCOPE_DBS: '1e0' }],
    ['LOCKSCOPE_ALLOW_INSECURE_REDIS', { LOCKSCOPE_ALLOW_INSECURE_REDIS: 'yes' }],
    ['LOCKSCOPE_ADMIN_TOKEN', { LOCKSCOPE_ADMIN_TOKEN: ' '.repeat(40) }],
    ['LOCKSCOPE_METRICS_TOKEN', { LOCKSCOPE_METRICS_TOKEN: 'ü'.repeat(40) }],
    ['LOCKSCOPE_METRICS_TOKEN', { LOCKSCOPE_METRICS_TOKEN: 'x'.repeat(31) }],
    [
      'LOCKSCOPE_METRICS_TOKEN',
      { LOCKSCOPE_METRICS_TOKEN: 'x'.repeat(32), LOCKSCOPE_ADMIN_TOKEN: 'x'.repeat(32) },
    ],
    ['LOCKSCOPE_DATA_DIR', { LOCKSCOPE_DATA_DIR: '/proc/lockscope/data' }],
    ['LOCKSCOPE_CONFIG', { LOCKSCOPE_CONFIG: '/' }],
    ['LOCKSCOPE_DBS', { LOCKSCOPE_DBS: '0,x' }],
    ['LOCKSCOPE_ADMIN_TOKEN', { LOCKSCOPE_ADMIN_TOKEN: 'short' }],
    ['LOCKSCOPE_LONG_HOLD_MS', { LOCKSCOPE_LONG_HOLD_MS: '-1' }],
    ['LOCKSCOPE_LONG_HOLD_MS_BY_CLASS', { LOCKSCOPE_LONG_HOLD_MS_BY_CLASS: 'order:*' }],
    ['LOCKSCOPE_LONG_HOLD_MS_BY_CLASS', { LOCKSCOPE_LONG_HOLD_MS_BY_CLASS: 'order:*=soon' }],
    ['LOCKSCOPE_LONG_HOLD_MS_BY_CLASS', { LOCKSCOPE_LONG_HOLD_MS_BY_CLASS: '=5000' }],
    ['LOCKSCOPE_HISTORY must be lengths', { LOCKSCOPE_HISTORY: '10s' }],
    ['LOCKSCOPE_HISTORY must be lengths', { LOCKSCOPE_HISTORY: '10s:2h,1m:1y' }],
    ['LOCKSCOPE_HISTORY must be lengths', { LOCKSCOPE_HISTORY: '10s:2h:3h' }],
    ['LOCKSCOPE_HISTORY must begin', { LOCKSCOPE_HISTORY: '1m:2h' }],
    ['LOCKSCOPE_HISTORY must have each', { LOCKSCOPE_HISTORY: '10s:2h,25s:3h' }],
    ['LOCKSCOPE_HISTORY must have each', { LOCKSCOPE_HISTORY: '10s:2h,10s:3h' }],
    ['LOCKSCOPE_HISTORY must keep', { LOCKSCOPE_HISTORY: '10s:2h,1m:2h' }],
    ['LOCKSCOPE_HISTORY must keep', { LOCKSCOPE_HISTORY: '10s:5s' }],
    ['LOCKSCOPE_HISTORY_HOLDS', { LOCKSCOPE_HISTORY_HOLDS: '0d' }],
    ['LOCKSCOPE_HISTORY_HOLDS', { LOCKSCOPE_HISTORY_HOLDS: 'long' }],
    ['LOCKSCOPE_HISTORY_MAX_MB', { LOCKSCOPE_HISTORY_MAX_MB: '1' }],
    ['LOCKSCOPE_HISTORY_MAX_MB', { LOCKSCOPE_HISTORY_MAX_MB: '-1' }],
    ['LOCKSCOPE_DATABASE_URL', { LOCKSCOPE_DATABASE_URL: 'mysql://x' }],
    ['LOCKSCOPE_CONFIG', { LOCKSCOPE_CONFIG: '/does/not/exist.yaml' }],
    ['LOCKSCOPE_PUBLIC_URL', { LOCKSCOPE_PUBLIC_URL: 'console' }],
  ])('%s %o', (name, env) => {
    expect(() => load(env)).toThrow(expect.objectContaining({ code: 'BAD_SETTING' }));
    expect(() => load(env)).toThrow(new RegExp(name));
  });

  test('an unknown or mistyped field of the file', async () => {
    const unknown = await file('redis-lock-provider:\n  redis_uri: x\n');
    expect(() => load({ LOCKSCOPE_CONFIG: unknown })).toThrow(/redis_uri/);
    const mistyped = await file('redis-lock-provider:\n  lock_timeout_ms: soon\n');
    expect(() => load({ LOCKSCOPE_CONFIG: mistyped })).toThrow(/lock_timeout_ms/);
  });

  test('a password given twice', async () => {
    const path = await file(
      'redis-lock-provider:\n  redis_url: redis://:a@h:1/0\n  redis_password: b\n',
    );
    expect(() => load({ LOCKSCOPE_REDIS_URL: '', LOCKSCOPE_CONFIG: path })).toThrow(/twice/);
  });
});

describe('the address', () => {
  test('follows the port that the system chose, unless browsers are told another', () => {
    const config = load({ LOCKSCOPE_PORT: '0' });
    expect(atPort(config, 4711)).toMatchObject({
      port: 4711,
      listenUrl: 'http://127.0.0.1:4711',
      publicUrl: 'http://127.0.0.1:4711',
    });
    const proxied = load({
      LOCKSCOPE_PORT: '0',
      LOCKSCOPE_PUBLIC_URL: 'https://locks.example.com',
    });
    expect(atPort(proxied, 4711).publicUrl).toBe('https://locks.example.com');
  });

  test('in the file is checked like the one in the environment', async () => {
    const path = await file('lockscope:\n  port: 99999\n');
    expect(() => load({ LOCKSCOPE_CONFIG: path })).toThrow(/LOCKSCOPE_CONFIG.*port/);
  });
});
