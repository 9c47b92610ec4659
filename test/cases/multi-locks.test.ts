import type { Redis } from 'ioredis';
import Redlock from 'redlock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keySlot } from '@/lib/analysis/key-slot';
import { createLockClient } from '@/lib/lock/index';
import type { ConfigCheck } from '@/lib/protocol/advice';
import { startClusterNode } from '@/test/support/cluster-node';
import { startConsole } from '@/test/support/console';
import { releaseNow } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis, type Watched } from '@/test/support/watched-redis';

/** Answers to the page are remembered for ten seconds. */
const PATIENCE_MS = 60_000;
const LEASE_MS = 600_000;
const A = 'b983c153-7421-469a-addb-44fb92259a1b:11';

async function checkOf(at: Watched): Promise<ConfigCheck> {
  const { checks } = await at.console.query('configuration');
  const check = checks.find(({ id }) => id === 'multi-lock-slots');
  if (!check) throw new Error('it is not checked');
  return check;
}

const checked = (at: Watched, is: (check: ConfigCheck) => boolean): Promise<ConfigCheck> =>
  until(
    'the check is as it should be',
    async () => {
      const check = await checkOf(at);
      return is(check) ? check : null;
    },
    PATIENCE_MS,
  );

const isHeld = (at: Watched, key: string) =>
  until(
    `${key} is held`,
    async () => {
      const lock = await at.console.detail(key);
      return lock?.hold?.owner.id ? lock : null;
    },
    PATIENCE_MS,
  );

/** Takes the keys by one script of redlock, and gives them back once the console knows who has them. */
async function takeTogether(at: Watched, redis: Redis, ...keys: string[]): Promise<void> {
  const lock = await new Redlock([redis]).acquire(keys, LEASE_MS);
  for (const key of keys) await isHeld(at, key);
  await lock.release();
}

describe('a lock over several keys', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'order:*,stock:*,{order}:*,multi:*' } });

  it('by one script is none for a cluster only where its keys lie in different slots', async () => {
    const redis = at.redis.client();
    expect(await checkOf(at)).toMatchObject({ state: 'ok' });

    // Redisson's multi-lock and ours take one key after another, and two locks of redlock have a token each.
    const inTurn = ['multi:a', 'multi:b', 'multi:c', 'multi:d'];
    for (const key of inTurn) await redis.hset(key, A, 1);
    for (const key of inTurn) await redis.pexpire(key, LEASE_MS);
    const ours = createLockClient({ redis, allowInsecure: true });
    for (let i = 0; i < 2; i++) {
      await ours.multi(['multi:x', 'multi:y']).using(() => isHeld(at, 'qoder:lock:multi:y'));
    }
    for (let i = 0; i < 2; i++) {
      const locks = await Promise.all(
        ['order:1', 'stock:1'].map((key) => new Redlock([redis]).acquire([key], LEASE_MS)),
      );
      await isHeld(at, 'order:1');
      await isHeld(at, 'stock:1');
      for (const lock of locks) await lock.release();
    }
    const fine = await until(
      'one in one slot is seen',
      async () => {
        await takeTogether(at, redis, '{order}:7', '{order}:8');
        const check = await checkOf(at);
        return /ha(?:s|ve) them in one slot/.test(check.reason) ? check : null;
      },
      PATIENCE_MS,
    );
    expect(fine).toMatchObject({ state: 'ok', severity: null, command: null });

    const found = await until(
      'different slots are told',
      async () => {
        await takeTogether(at, redis, 'order:42', 'stock:42');
        const check = await checkOf(at);
        return check.state === 'wrong' ? check : null;
      },
      PATIENCE_MS,
    );
    expect(found).toMatchObject({
      severity: 'info',
      command: 'redlock.acquire(["order:{42}", "stock:{42}"], ttl)',
    });
    expect(found.reason).toContain('redlock');
    expect(found.reason).toContain('CROSSSLOT');
    expect(found.evidence).toEqual(
      ['order:42', 'stock:42'].map((name) => ({ name, value: `slot ${keySlot(name)}` })),
    );
    await ours.close();
  }, 300_000);
});

describe('a node of a cluster', () => {
  let at: Watched;
  beforeAll(async () => {
    const redis = await startClusterNode();
    const console = await startConsole({
      redisUrl: redis.url,
      env: { LOCKSCOPE_WATCH: 'order:*,stock:*,old:*' },
    });
    at = { redis, console, client: redis.client() };
  });
  afterAll(async () => {
    await at.console.stop();
    await at.redis.stop();
  });

  const spread = Array.from({ length: 120 }, (_, i) => `old:${i}`);

  it('is watched, though one script may not read its keys together', async () => {
    for (const [i, key] of spread.entries()) {
      await at.client.set(key, String(i).padStart(32, '0'), 'PX', LEASE_MS);
    }
    await at.client.hset('old:fair', A, 1);
    for (const key of [spread[0], spread.at(-1), 'old:fair']) await isHeld(at, key ?? '');
    await at.console.terminate();
    await at.console.restart();
    const { total } = await until(
      'its first sweep has found them',
      async () => {
        const locks = await at.console.query('locks', { class: 'old:*', limit: '1' });
        return locks.total >= spread.length ? locks : null;
      },
      PATIENCE_MS,
    );
    expect(total).toBeGreaterThanOrEqual(spread.length);
    expect(await releaseNow(at.console, 'old:7')).toMatchObject({ status: 200 });
    expect(await at.client.exists('old:7')).toBe(0);
    await at.console.query('timeouts');
    // The console itself asks for nothing that a cluster refuses.
    expect(await at.client.info('errorstats')).not.toContain('CROSSSLOT');
    expect(await checkOf(at)).toMatchObject({ state: 'ok' });
  }, 300_000);

  it('refuses a lock of redlock over keys in different slots, which is a warning', async () => {
    const redlock = new Redlock([at.redis.client()], { retryCount: 0 });
    await redlock.acquire(['{order}:1', '{order}:2'], LEASE_MS);
    await expect(redlock.acquire(['order:42', 'stock:42'], LEASE_MS)).rejects.toThrow();
    const told = await checked(at, ({ state }) => state === 'wrong');
    expect(told).toMatchObject({
      severity: 'warning',
      evidence: [{ name: 'CROSSSLOT', value: expect.stringMatching(/^[1-9]/) }],
    });
    expect(told.command).toContain('redlock.acquire(["order:{42}", "stock:{42}"]');
  }, 300_000);

  it('that holds such locks all the same, as of a script that names no keys, is a warning with the keys', async () => {
    const script = `for i = 2, #ARGV do redis.call('SET', ARGV[i], ARGV[1], 'PX', 600000) end`;
    let taken = 0;
    const told = await until(
      'the keys are told',
      async () => {
        taken += 1;
        const token = `${taken}`.padStart(32, 'f');
        await at.client.eval(script, 0, token, 'order:5', 'stock:5');
        for (const key of ['order:5', 'stock:5']) await isHeld(at, key);
        await at.client.del('order:5');
        await at.client.del('stock:5');
        const check = await checkOf(at);
        return check.evidence.length > 1 ? check : null;
      },
      PATIENCE_MS,
    );
    expect(told).toMatchObject({ state: 'wrong', severity: 'warning' });
    expect(told.evidence).toContainEqual({ name: 'stock:5', value: `slot ${keySlot('stock:5')}` });
    expect(told.reason).toContain('node of a cluster');
  }, 300_000);
});
