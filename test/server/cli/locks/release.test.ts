import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import type { AuditEntry } from '@/lib/protocol/audit';
import { register as registerAudit } from '@/server/cli/audit';
import { releaseDirectly, releasableOf } from '@/server/cli/locks/direct-release';
import { findLock } from '@/server/cli/locks/find-lock';
import { withLockView } from '@/server/cli/locks/lock-view';
import { register } from '@/server/cli/release';
import { loadSettings } from '@/server/config';
import { ADMIN_TOKEN, startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { holdOwnLock, instanceId, queueOwnWaiter } from './own-lock';
import { createTestCli, type TestCli } from './run-cli';

let server: TestRedis;
let redis: Redis;
let cli: TestCli;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  cli = await createTestCli(server.url, { LOCKSCOPE_PORT: '1' });
});
afterAll(async () => {
  await cli.remove();
  await server.stop();
});

const release = (key: string, ...more: string[]) =>
  cli.run([register], 'lock', 'release', '--key', key, '--reason', 'its worker hangs', ...more);

async function audit(of: TestCli = cli): Promise<AuditEntry[]> {
  const { out } = await of.run([registerAudit], 'audit', 'export');
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEntry);
}

describe('lock release without a console', () => {
  it('deletes the hold, wakes who waits, and records request and outcome', async () => {
    const { key, owner } = await holdOwnLock(redis, 'order:1', { fence: 5 });
    const waiter = `${instanceId(2)}:3`;
    await queueOwnWaiter(redis, key, waiter);
    const told: string[] = [];
    const listener = server.client();
    await listener.subscribe(
      `lockscope:inbox:${instanceId(2)}`,
      `lockscope:inbox:${instanceId(1)}`,
    );
    listener.on('message', (_, message) => told.push(message));

    const { code, out } = await release('order:1', '--yes', '--business-id', 'INC-7');
    expect(code).toBe(0);
    expect(out).toContain(`released ${key} from 10.24.1.7`);
    expect(await redis.exists(key)).toBe(0);
    expect(await redis.get(`redisson_lock_token:{${key}}`)).toBe('5');
    await until('both are told', () => told.length === 2);
    expect(told.toSorted()).toEqual([`revoked 7 ${key}`, `try 3 ${key}`]);

    const entries = await audit();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['requested', 'done']);
    expect(entries[1]).toMatchObject({
      action: 'lock.release',
      key,
      reason: 'its worker hangs',
      businessId: 'INC-7',
      requestId: entries[0]?.requestId,
    });
    expect(entries[0]?.actor).toMatch(/^cli:[^@]+@.+$/);
    expect(entries[0]?.before).toMatchObject({ hold: { owner: { id: owner } } });
  });

  it('claims of a signal that nobody counts neither that it woke somebody nor that nobody waits', async () => {
    await redis.set('lock:nightly', 'Imk5qc891aVEuCYfdp7/2wAA', 'PX', 60_000);
    const { code, out } = await release('lock:nightly', '--yes');
    expect(code).toBe(0);
    expect(await redis.llen('lock-signal:nightly')).toBe(1);
    expect(out).toContain('a wake-up was sent, which Redis does not count');
  });

  it('tells as JSON who held it, and records what the hold was for', async () => {
    const { key } = await holdOwnLock(redis, 'order:2', { businessId: 'SN-4' });
    const { code, json } = await release('order:2', '--yes', '--json');
    expect(code).toBe(0);
    expect((await audit()).at(-1)).toMatchObject({ key, businessId: 'SN-4' });
    expect(json()).toMatchObject({
      key,
      outcome: 'released',
      cameBack: false,
      recordedBy: 'command-line',
      holder: { ip: '10.24.1.7' },
    });
  });

  it('does nothing without a terminal and without --yes', async () => {
    const { key } = await holdOwnLock(redis, 'order:3');
    const before = (await audit()).length;
    const { code, err } = await release('order:3');
    expect(code).toBe(2);
    expect(err).toContain('give --yes');
    expect(await redis.exists(key)).toBe(1);
    expect(await audit()).toHaveLength(before);
  });

  it('gives back the permits that are taken, which are written beside the lock', async () => {
    const key = '{pool}:db:permitexpirablesemaphore';
    const permits = `${key}:timeout`;
    await redis.set(key, 3);
    await redis.zadd(permits, Date.now() + 60_000, 'p'.repeat(16));
    const { code, err } = await release(key, '--yes');
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(await redis.get(key)).toBe('4');
    expect(await redis.exists(permits)).toBe(0);
  });

  it('of a digest keeps to the holders that were shown', async () => {
    const digest = `uniquejobs:${'7'.repeat(32)}`;
    await redis.multi().set(digest, 'job-1').hset(`${digest}:LOCKED`, 'job-1', '1.5').exec();
    const settings = loadSettings(cli.env);
    const request = { reason: 'test', businessId: null, actor: 'cli:test', warn: () => undefined };
    const refused = withLockView(settings, async (view) => {
      const shown = releasableOf(await findLock(view, settings, digest));
      await redis.hset(`${digest}:LOCKED`, 'job-2', '2.5');
      return await releaseDirectly(view, settings, { shown, request });
    });
    await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await redis.exists(digest)).toBe(1);
    expect((await release(digest, '--yes')).code).toBe(0);
    expect(await redis.keys(`${digest}*`)).toEqual([`${digest}:QUEUED`]);
  });

  it('asks for a reason that says something', async () => {
    const ran = await cli.run(
      [register],
      'lock',
      'release',
      '--key',
      'x',
      '--reason',
      ' . ',
      '--yes',
    );
    expect(ran.code).toBe(2);
    expect((await cli.run([register], 'lock', 'release', '--key', 'x', '--yes')).code).toBe(2);
  });

  it('ends with 1 when nobody holds the lock', async () => {
    await redis.set('redisson_lock_token:{qoder:lock:order:4}', 9);
    const { code, err } = await release('order:4', '--yes');
    expect(code).toBe(1);
    expect(err).toContain('nobody holds qoder:lock:order:4');
  });

  it('leaves a hold alone that is another one than was shown, and records the refusal', async () => {
    const { key } = await holdOwnLock(redis, 'order:5');
    const settings = loadSettings(cli.env);
    const request = { reason: 'test', businessId: null, actor: 'cli:test', warn: () => undefined };
    const refused = withLockView(settings, async (view) => {
      const shown = releasableOf(await findLock(view, settings, 'order:5'));
      await redis.del(key);
      await holdOwnLock(redis, 'order:5', { instance: instanceId(6) });
      return await releaseDirectly(view, settings, { shown, request });
    });
    const owner = `${instanceId(6)}:7`;
    await expect(refused).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`holder is now ${owner} (since`),
      details: { holder: owner, expected: `${instanceId(1)}:7` },
    });
    expect(await redis.hget(key, owner)).toBe('1');
    expect((await audit()).at(-1)).toMatchObject({ outcome: 'refused', code: 'CONFLICT', key });
  });

  it('refuses when the audit cannot be written, and leaves the lock', async () => {
    const { key } = await holdOwnLock(redis, 'order:6');
    const file = join(cli.dataDir, '..', 'a-file');
    writeFileSync(file, '');
    const blocked = await createTestCli(server.url, {
      LOCKSCOPE_PORT: '1',
      LOCKSCOPE_DATA_DIR: join(file, 'data'),
    });
    const args = ['lock', 'release', '--key', 'order:6', '--reason', 'test', '--yes', '--json'];
    const { code, json } = await blocked.run([register], ...args);
    await blocked.remove();
    expect(code).toBe(1);
    expect(json()).toMatchObject({ error: { code: 'AUDIT_UNAVAILABLE' } });
    expect(await redis.exists(key)).toBe(1);
  });

  it('sees that a library makes the key again', async () => {
    const renew = () =>
      redis.set('mutex:cart', '0b0c7a3e-1111-4222-8333-444444444444', 'PX', 60_000);
    await renew();
    const listener = server.client();
    await listener.subscribe('__keyspace@0__:mutex:cart');
    const again = new Promise<void>((resolve) => {
      listener.on('message', (_channel, event) => {
        if (event === 'del') void renew().then(() => resolve());
      });
    });
    const { code, out } = await release('mutex:cart', '--yes');
    await again;
    expect(code).toBe(1);
    expect(out).toContain('The same holder has it again');
  });

  it('says which right is missing when scripts are forbidden', async () => {
    await holdOwnLock(redis, 'order:7');
    await redis.call('ACL', ['SETUSER', 'reader', 'on', '>pw', '~*', '&*', '+@all', '-eval']);
    const reader = await createTestCli(`redis://reader:pw@127.0.0.1:${server.port}/0`, {
      LOCKSCOPE_PORT: '1',
    });
    const args = ['lock', 'release', '--key', 'order:7', '--reason', 'test', '--yes'];
    const { code, err } = await reader.run([register], ...args);
    expect(code).toBe(1);
    expect(err).toContain('+eval');
    expect((await audit(reader)).map(({ outcome }) => outcome)).toEqual(['requested', 'refused']);
    await reader.remove();
  });
});

describe('lock release while a console runs', () => {
  let console: TestConsole;
  let beside: TestCli;
  beforeAll(async () => {
    console = await startConsole({ redisUrl: server.url });
    beside = await createTestCli(server.url, {
      LOCKSCOPE_PORT: new URL(console.url).port,
      LOCKSCOPE_DATA_DIR: console.dataDir,
      LOCKSCOPE_ADMIN_TOKEN: ADMIN_TOKEN,
    });
  });
  afterAll(async () => {
    await beside.remove();
    await console.stop();
  });
  const args = (key: string) => ['lock', 'release', '--key', key, '--reason', 'test', '--yes'];

  it('is done by the console, which records it', async () => {
    await redis.set('mutex:seen', '0b0c7a3e-1111-4222-8333-555555555555', 'PX', 60_000);
    const { code, json } = await beside.run([register], ...args('mutex:seen'), '--json');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ outcome: 'released', recordedBy: 'console' });
    const { items } = await console.query('audit', { key: 'mutex:seen' });
    expect(items.map(({ outcome, actor }) => [outcome, actor])).toEqual([
      ['done', 'token:admin'],
      ['requested', 'token:admin'],
    ]);
  });

  it('is recorded in the same audit when the console does not watch that db', async () => {
    const other = server.client({ db: 4 });
    await other.set('mutex:elsewhere', '0b0c7a3e-1111-4222-8333-666666666666', 'PX', 60_000);
    const inDb = [...args('mutex:elsewhere'), '--db', '4', '--json'];
    const { code, json } = await beside.run([register], ...inDb);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ db: 4, recordedBy: 'command-line' });
    const { items } = await console.query('audit', { key: 'mutex:elsewhere' });
    expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'requested']);
  });
});
