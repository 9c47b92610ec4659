import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLockProvider, type LockProvider } from '@/server/lock-provider/index';
import { stderrLog } from '@/server/lock-provider/stderr-log';
import { freePort } from '@/test/support/free-port';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const PASSWORD = 'aBc$9xY!2';
const TEMPLATE = 'lock_key_template: "order_sync:${event.order_no}"';

let redis: TestRedis;
let dir: string;
let configPath: string;
let lines: string[] = [];
const opened: LockProvider[] = [];

beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  dir = await mkdtemp(join(tmpdir(), 'lockscope-provider-'));
  configPath = join(dir, 'lock.yaml');
});
afterAll(async () => {
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  lines = [];
  await redis.client().flushall();
});
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
});

async function open(...fields: string[]): Promise<LockProvider> {
  const url =
    fields.find((field) => field.startsWith('redis_url')) ??
    `redis_url: redis://127.0.0.1:${redis.port}/2`;
  const rest = fields.filter((field) => field !== url);
  const section = ['enabled: true', url, `redis_password: "${PASSWORD}"`, ...rest];
  const isDisabled = fields.includes('enabled: false');
  const content = section.filter((field) => !(isDisabled && field === 'enabled: true'));
  await writeFile(configPath, ['redis-lock-provider:', ...content].join('\n  '));
  const provider = await openLockProvider({
    configPath,
    env: {},
    log: stderrLog({ write: (line) => lines.push(line) }),
  });
  opened.push(provider);
  return provider;
}

describe('the lock provider', () => {
  it('locks each entity under the key that the template gives, in the db of the URL', async () => {
    const provider = await open(TEMPLATE);
    await provider.using({ order_no: 'A-17' }, async (lock) => {
      expect(lock.key).toBe('qoder:lock:order_sync:A-17');
      expect(await redis.client({ db: 2 }).exists(lock.key)).toBe(1);
    });
    expect(await redis.client({ db: 2 }).exists('qoder:lock:order_sync:A-17')).toBe(0);
  });

  it('lets one work on an entity at a time, and others on other entities', async () => {
    const [one, other] = [await open(TEMPLATE), await open(TEMPLATE)];
    const held = await one.lockFor({ order_no: 1 }).acquire();
    expect(await other.lockFor({ order_no: 1 }).tryAcquire()).toBeNull();
    const beside = await other.lockFor({ order_no: 2 }).tryAcquire();
    expect(beside?.isHeld).toBe(true);
    await held.release();
    await until('it is free', async () => await other.lockFor({ order_no: 1 }).tryAcquire());
  });

  it('logs WAITING_FOR_LOCK with key, holder and instance until the first lets go', async () => {
    const [one, other] = [await open(TEMPLATE), await open(TEMPLATE)];
    const held = await one.lockFor({ order_no: 1 }).acquire();
    const second = other.lockFor({ order_no: 1 }).acquire();
    const line = await until('it waits', () => lines.find((said) => said.includes('WAITING')));
    expect(line).toMatch(/^\d{4}-\S+ INFO WAITING_FOR_LOCK key=qoder:lock:order_sync:1 holder=/);
    expect(line).toContain(held.owner);
    expect(line).toContain(`instance=${other.client.instance}`);
    await held.release();
    expect((await second).isHeld).toBe(true);
  });

  it('ends a wait after lock_timeout_ms in LockAcquisitionTimeoutException', async () => {
    const [one, other] = [await open(TEMPLATE), await open(TEMPLATE, 'lock_timeout_ms: 100')];
    await one.lockFor({ order_no: 1 }).acquire();
    const startedAt = performance.now();
    await expect(other.using({ order_no: 1 }, () => 'never')).rejects.toMatchObject({
      name: 'LockAcquisitionTimeoutException',
      code: 'ACQUISITION_TIMEOUT',
      fields: { waitMs: 100 },
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
  });

  it('refuses an event without the field, by its name, and takes no lock', async () => {
    const provider = await open(TEMPLATE);
    await expect(provider.using({ order_id: 1 }, () => 'never')).rejects.toMatchObject({
      code: 'TEMPLATE_VARIABLE_MISSING',
      fields: { variable: 'event.order_no' },
    });
    expect(await redis.client({ db: 2 }).keys('qoder:lock:*')).toEqual([]);
  });

  it('asks which of several templates is meant', async () => {
    const both =
      'lock_key_template: ["log_analysis:${event.log_id}", "order_sync:${event.order_no}"]';
    const provider = await open(both);
    const event = { log_id: 'LOG-1', order_no: 2 };
    expect(() => provider.nameFor(event)).toThrow(/declares 2 lock_key_templates/);
    expect(provider.nameFor(event, 'log_analysis:${event.log_id}')).toBe('log_analysis:LOG-1');
    const options = { template: 'order_sync:${event.order_no}', businessId: 'B-9' };
    const businessId = await provider.using(event, options, (lock) => lock.businessId);
    expect(businessId).toBe('B-9');
  });

  it('says that no template is declared', async () => {
    const provider = await open();
    expect(() => provider.nameFor({})).toThrow(/No lock_key_template is declared in .*lock\.yaml/);
  });
});

describe('the lock provider does not open', () => {
  it('while it is disabled', async () => {
    await expect(open('enabled: false')).rejects.toMatchObject({ code: 'BAD_SETTING' });
  });

  it('with a template that names nothing', async () => {
    await expect(open('lock_key_template: "order_sync"')).rejects.toMatchObject({
      code: 'BAD_OPTIONS',
    });
  });

  it('without its Redis, and says so without the password', async () => {
    const opening = open(`redis_url: redis://127.0.0.1:${await freePort()}/2`);
    await expect(opening).rejects.toMatchObject({ code: 'TARGET_UNAVAILABLE' });
    await expect(opening).rejects.not.toThrow(PASSWORD);
  });
});
