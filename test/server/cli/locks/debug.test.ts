import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Redis } from 'ioredis';
import { aclRule } from '@/lib/lock/acl';
import { createLockClient } from '@/lib/lock/index';
import { register } from '@/server/cli/debug';
import type { DebugReport } from '@/server/cli/locks/debug-report';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { announce, holdOwnLock, instanceId, queueOwnWaiter } from './own-lock';
import { createTestCli, type TestCli } from './run-cli';

let server: TestRedis;
let redis: Redis;
let cli: TestCli;

beforeAll(async () => {
  server = await startRedis({ password: 'aBc$9xY!2' });
  redis = server.client();
  cli = await createTestCli(server.url);
});
afterAll(async () => {
  await cli.remove();
  await server.stop();
});

const debug = (key: string, ...more: string[]) =>
  cli.run([register], 'lock', 'debug', '--key', key, ...more);
const report = async (key: string) => (await debug(key, '--json')).json<DebugReport>();

describe('lock debug', () => {
  it('shows the IP of the instance that holds a lock and how much lease is left', async () => {
    await holdOwnLock(redis, 'log_analysis:LOG-20260612-7789', { leaseMs: 60_000, fence: 42 });
    const { code, out } = await debug('log_analysis:LOG-20260612-7789');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^holder +10\.24\.1\.7 \(worker-3\) pid 4121 log-analyser {2}\[observed\]$/m,
    );
    expect(out).toMatch(/^lease left +(59|60) s/m);
    expect(out).toMatch(/^fence +42/m);
    expect(out).toContain('qoder:lock:log_analysis:LOG-20260612-7789 in db 0 (the name ');
  });

  it('needs no more rights than the services have that lock', async () => {
    const [command = '', ...words] = aclRule({ user: 'orders', password: 'o' }).split(' ');
    await redis.call(command, ...words);
    const asService = await createTestCli(server.url.replace(/\/\/.*@/, '//orders:o@'));
    onTestFinished(asService.remove);
    const asked = (key: string) => asService.run([register], 'lock', 'debug', '--key', key);
    await holdOwnLock(redis, 'order:services', { fence: 7 });
    expect(await asked('order:services')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^fence +7/m),
    });
    expect(await asked('order:nobodys')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /There is no qoder:lock:order:nobodys in db 0 of .*, and this user may not read order:nobodys;/,
      ),
    });
  });

  it('takes a whole key as well, and says so', async () => {
    const { key } = await holdOwnLock(redis, 'order:1');
    expect(await report(key)).toMatchObject({ key, takenAs: 'key', state: 'held' });
    await redis.set('lock:foreign', 'somebody', 'PX', 5000);
    const foreign = await report('lock:foreign');
    expect(foreign).toMatchObject({ takenAs: 'key', state: 'held', key: 'lock:foreign' });
    expect(foreign.holder).toMatchObject({ owner: 'somebody', alive: { evidence: 'unknown' } });
  });

  it('tells since when, how deep and for which business id', async () => {
    const since = Date.now() - 60_000;
    await holdOwnLock(redis, 'order:2', { since, depth: 3, businessId: 'SN-9' });
    const { since: told, depth, businessId } = await report('order:2');
    // By Redis's clock, which is known as well as its answers are quick.
    expect(Math.abs((told?.value ?? 0) - since)).toBeLessThan(10_000);
    expect(told?.evidence).toBe('observed');
    expect({ depth, businessId }).toEqual({ depth: 3, businessId: 'SN-9' });
  });

  it('lists the waiters in order, each with its process and whether it lives', async () => {
    const { key } = await holdOwnLock(redis, 'order:3');
    await announce(redis, instanceId(2), '10.24.1.8');
    const listening = server.client();
    const asked = Date.now() - 3000;
    const wish = `60000 ${asked} SN-2`;
    await queueOwnWaiter(redis, key, `${instanceId(2)}:1`, { listening, wish });
    await queueOwnWaiter(redis, key, `${instanceId(3)}:1`);
    const { waiters, lock } = await report('order:3');
    expect(lock?.waiting.count).toBe(1);
    expect(waiters.map(({ position, ip, alive }) => [position, ip, alive.value])).toEqual([
      [1, '10.24.1.8', true],
      [2, null, false],
    ]);
    expect(waiters[0]?.businessId).toBe('SN-2');
    const { out } = await debug('order:3');
    const waitedS = (Date.now() - asked) / 1000;
    const told = /^ {2}1\. +10\.24\.1\.8 .+ alive, for (\d+(?:\.\d)?) s, SN-2/m.exec(out)?.[1];
    expect(Number(told)).toBeGreaterThanOrEqual(3);
    expect(Number(told)).toBeLessThan(waitedS + 0.1);
  });

  it('says that the process of the holder is gone', async () => {
    await holdOwnLock(redis, 'order:4', { instance: instanceId(9), isAlive: false });
    expect((await report('order:4')).holder?.alive).toEqual({ value: false, evidence: 'observed' });
    expect((await debug('order:4')).out).toMatch(/^alive +no: its process is gone/m);
  });

  it('tells of a lock that nobody holds its last fence', async () => {
    await redis.set('redisson_lock_token:{qoder:lock:order:5}', 17);
    const { code, out } = await debug('order:5');
    expect(code).toBe(0);
    expect(out).toMatch(/^state +free: nobody holds it now$/m);
    expect(out).toMatch(/^last fence +17/m);
  });

  it('ends with 1 for a lock that was never there', async () => {
    const { code, out, err } = await debug('order:nobody');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('neither qoder:lock:order:nobody nor order:nobody in db 0');
  });

  it('says which other db holds the same key', async () => {
    const { key } = await holdOwnLock(redis, 'order:6');
    const other = server.client({ db: 3 });
    await other.hset(key, `${instanceId(4)}:1`, 1);
    expect((await report('order:6')).otherDbs).toEqual([3]);
    expect((await debug('order:6')).out).toContain('db 3 holds the same key');
    await other.hset('qoder:lock:order:7', `${instanceId(4)}:1`, 1);
    const missing = await debug('order:7');
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('db 3 holds qoder:lock:order:7');
    const there = (await debug('order:7', '--db', '3', '--json')).json<DebugReport>();
    expect(there).toMatchObject({ db: 3, state: 'held', otherDbs: [] });
  });

  it('names all who hold a semaphore or read, with the process of each', async () => {
    const client = createLockClient({ redis: server.client(), app: 'reader' });
    await client.semaphore('pool:1', 3).acquire();
    await client.semaphore('pool:1', 3).acquire();
    await client.readWrite('doc:1').read.acquire();
    const semaphore = (await debug('pool:1')).out;
    expect(semaphore).toMatch(/^state +held: 2 permits$/m);
    expect(semaphore).toMatch(/^also +127\.0\.0\.1 .*pid \d+ reader /m);
    expect((await debug('doc:1')).out).toMatch(/^state +held for reading$/m);
    await client.close();
  });

  it('says of a key of another kind that it is no lock', async () => {
    await redis.rpush('somelist', 'a');
    expect((await report('somelist')).state).toMatch(/broken|not-recognised/);
  });

  it('ends with 2 when no key is given', async () => {
    expect((await cli.run([register], 'lock', 'debug')).code).toBe(2);
  });

  it('says in one sentence that Redis cannot be reached, without the password', async () => {
    const lost = await createTestCli('redis://:geheim@127.0.0.1:1/0');
    const { code, err } = await lost.run([register], 'lock', 'debug', '--key', 'x');
    await lost.remove();
    expect(code).toBe(1);
    expect(err).toContain('Redis at 127.0.0.1:1 cannot be reached');
    expect(err).not.toContain('geheim');
  });
});
