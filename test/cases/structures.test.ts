import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { alertsAbout, onTime, releaseNow, seenAs, uuid1Token } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'pool:*,jobs:*,rp:*' } });
const PATIENCE_MS = 60_000;
const digestOf = (n: number): string => `uniquejobs:${n.toString(16).padStart(32, '0')}`;

/** Takes a digest as sidekiq-unique-jobs does. */
async function takeDigest(digest: string, job: string): Promise<void> {
  await at.client
    .multi()
    .set(digest, job)
    .zadd('uniquejobs:digests', Date.now() / 1000, digest)
    .hset(`${digest}:LOCKED`, job, Date.now() / 1000)
    .exec();
}

describe('a digest of sidekiq-unique-jobs', () => {
  it('is released with all its keys and its entry in the index, and no other', async () => {
    const [stuck, other] = [digestOf(1), digestOf(2)];
    await takeDigest(stuck, 'job-1');
    await takeDigest(other, 'job-2');
    await at.client.rpush(`${stuck}:QUEUED`, 'job-3');
    await at.client.set(`${stuck}:INFO`, '{"worker":"MailJob","limit":1}');
    await seenAs(at.console, stuck, ({ hold }) => hold?.owner.thread === 'job-1');
    const answer = await releaseNow(at.console, stuck);
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'released' } });
    const left = await at.client.keys(`${stuck}*`);
    expect(left.filter((key) => key !== `${stuck}:QUEUED`)).toEqual([]);
    expect(await at.client.pttl(`${stuck}:QUEUED`)).not.toBe(-1);
    expect(await at.client.zrange('uniquejobs:digests', '0', '-1')).toEqual([other]);
    expect(await at.client.hgetall(`${other}:LOCKED`)).toHaveProperty('job-2');
  });

  it('of version 9, whose own key is never written, is released with its hash', async () => {
    const digest = digestOf(4);
    const take = (job: string) =>
      at.client
        .multi()
        .zadd('uniquejobs:digests', Date.now() / 1000, digest)
        .hset(`${digest}:LOCKED`, job, '{"worker":"MailJob","type":"until_executed"}')
        .exec();
    await take('job-5');
    const { hold, commands } = await at.console.heldBy(digest, 'job-5');
    expect(commands.map(({ purpose }) => purpose)).toContain('release');
    await take('job-6');
    const late = await at.console.release(digest, { version: hold?.version, reason: 'too late' });
    expect(late.status).toBe(409);
    expect(await at.client.hlen(`${digest}:LOCKED`)).toBe(2);
    await at.client.hdel(`${digest}:LOCKED`, 'job-6');
    await seenAs(at.console, digest, (lock) => lock.members.length <= 1 && lock.hold !== null);
    expect(await releaseNow(at.console, digest)).toMatchObject({ status: 200 });
    expect(await at.client.exists(`${digest}:LOCKED`)).toBe(0);
    expect(await at.client.zscore('uniquejobs:digests', digest)).toBeNull();
    const free = await seenAs(at.console, digest, ({ state }) => state === 'free');
    expect(free.lastEnd?.reason).toBe('force-released');
  });

  it('of which only the bookkeeping is left is broken, and the missing key is named', async () => {
    const digest = digestOf(3);
    await at.client
      .multi()
      .set(digest, 'job-9')
      .zadd('uniquejobs:digests', Date.now() / 1000, digest)
      .exec();
    const lock = await seenAs(at.console, digest, ({ state }) => state === 'broken');
    expect(lock.hold).toBeNull();
    expect(lock.broken).toBe(`the key ${digest}:LOCKED, which says who holds it, is missing`);
  });

  it('that is gone stays in an index, which is reported once it is far longer than the locks', async () => {
    const gone = Array.from({ length: 1_500 }, (_, n) => [1, digestOf(n + 100)]).flat();
    await at.client.zadd('uniquejobs:digests', ...gone);
    const alert = await until(
      'the index is reported',
      async () => (await at.console.alerts('index-bloat'))[0],
      200_000,
    );
    expect(alert).toMatchObject({ severity: 'warning', state: 'firing' });
    expect(alert.summary).toMatch(
      /^uniquejobs:digests in db 0 lists 15\d\d locks; held of them: \d$/,
    );
  }, 300_000);
});

describe('an index of locks', () => {
  const several = watchedRedis({ env: { LOCKSCOPE_DBS: '0,1,2' } });
  const list = (client: Redis, count: number) =>
    client.zadd(
      'uniquejobs:digests',
      ...Array.from({ length: count }, (_, n) => [1, digestOf(n + 1_000)]).flat(),
    );
  const ofDb = async (db: number) =>
    (await several.console.alerts('index-bloat')).filter(({ summary }) =>
      summary.startsWith(`uniquejobs:digests in db ${db} lists `),
    );

  it('is too long for its locks, and is not while they are held, nor while it is short', async () => {
    const [busy, short] = [several.redis.client({ db: 1 }), several.redis.client({ db: 2 })];
    const hashes = Array.from({ length: 200 }, (_, n) => `${digestOf(n)}:LOCKED`);
    for (const hash of hashes) await busy.hset(hash, 'job', Date.now() / 1000);
    await until(
      'all locks of db 1 are seen',
      async () => {
        const { items } = await several.console.query('locks', { state: 'held', limit: '1000' });
        return items.filter(({ db }) => db === 1).length === 200;
      },
      PATIENCE_MS,
    );
    await list(busy, 1_500);
    await list(short, 900);
    // Listed last, it is counted last.
    await list(several.client, 1_500);
    await until('that of db 0 is told', async () => (await ofDb(0))[0], PATIENCE_MS);
    expect(await ofDb(1)).toEqual([]);
    expect(await ofDb(2)).toEqual([]);
    await busy.unlink(...hashes);
    const alert = await until('its locks are gone', async () => (await ofDb(1))[0], PATIENCE_MS);
    expect(alert.summary).toContain('lists 1500 locks');
    expect(await ofDb(2)).toEqual([]);
  }, 180_000);
});

describe('a semaphore whose permits were never given back', () => {
  it('tells total, free and each holder, and which permit has no deadline', async () => {
    const deadline = Date.now() + 600_000;
    await at.client
      .multi()
      .zadd('{pool:db}:timeout', deadline, 'a'.repeat(16), 922_337_203_685_477, 'b'.repeat(16))
      .set('pool:db', 3)
      .exec();
    const lock = await seenAs(at.console, 'pool:db', ({ members }) => members.length === 2);
    expect(lock).toMatchObject({
      format: 'redisson-permits',
      kind: 'semaphore',
      permits: { total: 5, free: 3 },
    });
    const deadlines = Object.fromEntries(lock.members.map(({ id, deadline: end }) => [id, end]));
    expect(deadlines['62'.repeat(16)]).toBeNull();
    expect(Math.abs((deadlines['61'.repeat(16)] ?? 0) - deadline)).toBeLessThan(2_000);
  });
});

describe('a counter that names nobody', () => {
  it('is held by nobody who could be named, and no owner is guessed', async () => {
    const client = at.redis.client();
    await client.subscribe('redisson_sc:{jobs:mail:lock}');
    await at.client.set('jobs:mail:lock', 0);
    const lock = await seenAs(
      at.console,
      'jobs:mail:lock',
      ({ hold, waiting }) => hold !== null && waiting.count === 1,
    );
    expect(lock).toMatchObject({
      kind: 'semaphore',
      permits: { total: null, free: 0 },
      members: [],
      hold: {
        owner: { id: NO_OWNER_ID, instance: null, thread: null, host: null, pid: null, app: null },
      },
    });
    expect(await alertsAbout(at.console, 'no-expiry', 'jobs:mail:lock')).toEqual([]);
    client.disconnect();
  });

  it('that is counted up and never down is broken rather than held by a number', async () => {
    await at.client.incr('jobs:work:lock');
    const lock = await seenAs(at.console, 'jobs:work:lock', ({ state }) => state === 'broken');
    expect(lock).toMatchObject({ hold: null, acquisitions: 0 });
  });
});

describe('a token that tells more than who', () => {
  it('of redis-py is read as a hint: when it was asked for, and on which machine', async () => {
    const { asked, lock } = await onTime(
      async (letter) => {
        const key = `rp:decoded-${letter}`;
        const sooner = Date.now() - 1_234;
        const token = uuid1Token(sooner, '02fc00000001');
        await at.client.set(key, token, 'PX', 600_000, 'NX');
        return { asked: sooner, lock: await at.console.heldBy(key, token) };
      },
      (seen) => seen.lock.hold?.sinceEvidence === 'observed',
    );
    const { hold, format, library } = lock;
    expect(format).toBe('redis-py');
    expect(library.why).toBe('value is a version 1 uuid of a recent time');
    expect(hold?.tokenTime).toEqual({ at: asked, means: 'asked' });
    expect(hold?.owner).toMatchObject({ instance: '02:fc:00:00:00:01', host: null, ip: null });
    // The hold began when its event came, whatever the token claims.
    expect(hold?.sinceEvidence).toBe('observed');
    expect(hold?.since).toBeGreaterThan(asked + 1_000);
    const { sources } = await until('its wait is counted', async () => {
      const waits = await at.console.query('waits', { class: lock.class });
      return waits.count > 0 ? waits : undefined;
    });
    expect(sources).toMatchObject([{ source: 'token-time', evidence: 'inferred', count: 1 }]);
  });
});

describe('a job of BullMQ', () => {
  it('names the worker that has it, by token and instance, and is not deleted from here', async () => {
    const worker = '0f0f0f0f-0000-4000-8000-000000000001';
    await at.client.set('bull:mail:17:lock', `${worker}:3`, 'PX', 600_000);
    const lock = await at.console.heldBy('bull:mail:17:lock', `${worker}:3`);
    expect(lock).toMatchObject({
      kind: 'job',
      canRelease: false,
      hold: { owner: { instance: worker, thread: '3' } },
    });
    expect(lock.cannotReleaseBecause).toContain("the library's own tools do it safely");
    const { items } = await at.console.query('locks', { owner: worker });
    expect(items.map(({ key }) => key)).toEqual(['bull:mail:17:lock']);
  });
});
