import { randomUUID, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DISCOVERY_LIMITS } from '@/lib/protocol/closed-sets';
import type { Discovery, Proposal } from '@/lib/protocol/libraries';
import { createDiscoveries, type Discoveries } from '@/server/libraries/discoveries';
import { createFormatsInUse } from '@/server/libraries/formats-in-use';
import { createPinBook } from '@/server/libraries/pin-book';
import { MAX_KEYS_PER_SECOND } from '@/server/libraries/scan-rate';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const COLD_KEYS = 100_000;
/** The locks must still be there in the last test. */
const HOUR_MS = 3_600_000;
const HEX = '0123456789abcdef0123456789abcdef';
const NODE = `${randomUUID()}:${randomUUID()}`;
const JAVA = `${randomUUID()}:41`;
const EVERYTHING = { dbs: [0], maxKeys: 10_000_000, seconds: 600 };

let server: TestRedis;
let redis: Redis;
let discoveries: Discoveries;
const pins = createPinBook([]);

/** The value that no answer may contain. */
const SECRET = 'hunter2-secret-value';

/** Locks of eight shapes under names that nothing announces, five of each. */
async function putLocks(): Promise<void> {
  const px = ['PX', HOUR_MS] as const;
  for (let i = 10; i < 15; i++) {
    await redis.hset(`stock-${i}`, JAVA, 1);
    await redis.pexpire(`stock-${i}`, HOUR_MS);
    await redis.hset(`billing/${i}`, NODE, 1);
    await redis.pexpire(`billing/${i}`, HOUR_MS);
    await redis.set(`report:${i}`, HEX.replace(/^.{12}/, '3f1c9a0d7e2b'), ...px);
    await redis.set(`cron:${i}`, 'ADDED:2026-11-30T06:00:00.123Z@node-7:' + randomUUID(), ...px);
    await redis.set(`payout:${i}`, randomUUID(), ...px);
    await redis.set(`export:${i}`, randomBytes(16).toString('base64'), ...px);
    await redis.zadd(`slots:${i}`, Date.now() - 100, randomUUID(), Date.now() - 50, randomUUID());
    await redis.pexpire(`slots:${i}`, HOUR_MS);
    await redis.set(`win:${i}`, `WEB-3_4711_${HEX}`, ...px);
  }
}

async function putColdKeys(): Promise<void> {
  for (let at = 0; at < COLD_KEYS; at += 5000) {
    const pipeline = redis.pipeline();
    for (let i = at; i < at + 5000; i++) {
      if (i % 3 === 0) pipeline.set(`cache:page:${i}`, `${SECRET} ${i}`);
      else if (i % 3 === 1) pipeline.hset(`user:${i}`, 'name', SECRET, 'age', '7');
      else pipeline.set(`visits:${i}`, String(i));
    }
    await pipeline.exec();
  }
}

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  await putColdKeys();
  await putLocks();
});
afterAll(async () => {
  await server.stop();
});
afterEach(async () => {
  await discoveries.end();
  for (const { pattern } of pins.list()) pins.remove(pattern);
});

function newDiscoveries(connection = async () => redis): Discoveries {
  const settings = { watchPatterns: [], watchEverything: false };
  const { table, isWatched } = createFormatsInUse(pins, settings);
  discoveries = createDiscoveries({ connection, formats: table, isWatched, now: Date.now });
  return discoveries;
}

const ended = (id: string): Promise<Discovery> =>
  until(
    'the run has ended',
    () => {
      const found = discoveries.get(id);
      return found.state === 'running' ? null : found;
    },
    60_000,
  );

const proposal = ({ proposals }: Discovery, pattern: string): Proposal => {
  const found = proposals.find((each) => each.pattern === pattern);
  if (!found) throw new Error(`no ${pattern} among ${proposals.map((each) => each.pattern)}`);
  return found;
};

describe('a run over many keys that are no locks', () => {
  it('proposes what looks like locks, of which library, how sure and how many, and no value', async () => {
    const found = await ended(newDiscoveries().start(EVERYTHING, 'me'));
    expect(found).toMatchObject({
      state: 'done',
      ended: 'all-seen',
      failedBecause: null,
      actor: 'me',
    });
    expect(found.scanned).toBeGreaterThanOrEqual(COLD_KEYS + 40);
    expect(found.keysInDb).toBe(COLD_KEYS + 40);
    const of = (pattern: string) => proposal(found, pattern);
    const ids = (pattern: string) => of(pattern).formats.map(({ id }) => id);
    expect(of('stock-*')).toMatchObject({ keys: 5, sampled: 5, withTtl: 5, types: ['hash'] });
    expect(of('stock-*')).toMatchObject({ sure: 'certain', watched: false, canPin: true });
    expect(ids('stock-*')[0]).toBe('redisson');
    expect(ids('billing/*')[0]).toBe('node-redisson');
    expect(ids('cron:*')[0]).toBe('shedlock');
    expect(of('slots:*').types).toEqual(['zset']);
    for (const pattern of ['report:*', 'payout:*', 'export:*', 'slots:*', 'win:*']) {
      expect(of(pattern).keys).toBe(5);
      expect(of(pattern).examples).toHaveLength(3);
    }
    expect(of('report:*').formats.length).toBeGreaterThan(0);
    const patterns = found.proposals.map(({ pattern }) => pattern);
    expect(patterns).not.toEqual(expect.arrayContaining(['cache:page:*']));
    expect(patterns.filter((each) => /^(cache|user|visits)/.test(each))).toEqual([]);
    const text = JSON.stringify(found);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(JAVA);
  });

  it('never goes faster than it may', async () => {
    const found = await ended(newDiscoveries().start(EVERYTHING, 'me'));
    expect(found.keysPerSecond).toBeLessThanOrEqual(MAX_KEYS_PER_SECOND);
    expect(found.elapsedMs).toBeGreaterThan((COLD_KEYS / MAX_KEYS_PER_SECOND) * 1000 * 0.9);
  });

  it('ends with its budget of keys, and with its budget of time', async () => {
    const some = await ended(newDiscoveries().start({ ...EVERYTHING, maxKeys: 5_000 }, 'me'));
    expect(some).toMatchObject({ state: 'done', ended: 'key-budget' });
    expect(some.scanned).toBeLessThan(8_000);
    const short = await ended(discoveries.start({ ...EVERYTHING, seconds: 1 }, 'me'));
    expect(short).toMatchObject({ state: 'done', ended: 'time-budget' });
    expect(short.scanned).toBeLessThan(COLD_KEYS);
  });

  it('is one at a time, can be stopped, and is kept with the last', async () => {
    const first = newDiscoveries().start(EVERYTHING, 'me');
    expect(() => discoveries.start(EVERYTHING, 'you')).toThrowError(
      expect.objectContaining({ code: 'CONFLICT', details: { id: first } }),
    );
    await until('it scans', () => discoveries.get(first).scanned > 0);
    const stopped = await discoveries.stop(first);
    expect(stopped).toMatchObject({ state: 'stopped', ended: 'stopped' });
    expect(stopped.scanned).toBeLessThan(COLD_KEYS);
    for (let i = 0; i < 5; i++) {
      await ended(discoveries.start({ ...EVERYTHING, maxKeys: 1_000 }, 'me'));
    }
    expect(discoveries.list()).toHaveLength(5);
    expect(() => discoveries.get(first)).toThrowError(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  it('passes over what is watched, and says of a proposal that it is since', async () => {
    await redis.set('lock:watched', 'x', 'PX', 60_000);
    pins.set({ pattern: 'cron:*', format: 'shedlock', createdAt: 1, actor: 'me', reason: 'ours' });
    const found = await ended(newDiscoveries().start(EVERYTHING, 'me'));
    expect(found.watched).toBe(6);
    expect(found.proposals.map(({ pattern }) => pattern)).not.toContain('cron:*');
    pins.set({ pattern: 'stock-*', format: 'redisson', createdAt: 2, actor: 'me', reason: 'ours' });
    await until('it is said', () => proposal(discoveries.get(found.id), 'stock-*').watched);
    await redis.del('lock:watched');
  });

  it('tells why it failed', async () => {
    const lost = newDiscoveries(() => Promise.reject(new Error('gone')));
    const found = await ended(lost.start(EVERYTHING, 'me'));
    expect(found).toMatchObject({ state: 'failed', ended: 'failed', failedBecause: 'gone' });
  });

  it('tells in words that the connection was lost', async () => {
    const cut = redis.duplicate();
    cut.disconnect();
    const found = await ended(newDiscoveries(async () => cut).start(EVERYTHING, 'me'));
    expect(found.failedBecause).toBe('The connection to Redis was lost.');
  });
});

describe('names that somebody waits for', () => {
  it('come first, held or free', async () => {
    const waiter = server.client();
    await waiter.subscribe('redisson_lock__channel:{stock-11}', 'redisson_lock__channel:{free-1}');
    const found = await ended(newDiscoveries().start({ ...EVERYTHING, maxKeys: 1_000 }, 'me'));
    expect(found.channels).toBe(2);
    expect(proposal(found, 'stock-*')).toMatchObject({ contended: 1 });
    expect(proposal(found, 'free-*')).toMatchObject({ contended: 1, sure: 'likely' });
    waiter.disconnect();
  });
});

describe('names that are words', () => {
  it('become one pattern when they differ in one word', async () => {
    const words = ['apple', 'pear', 'plum', 'fig', 'lime'];
    for (const word of words) await redis.hset(`fruit:${word}:basket`, JAVA, 1);
    const found = await ended(newDiscoveries().start(EVERYTHING, 'me'));
    expect(proposal(found, 'fruit:*:basket')).toMatchObject({ keys: 5, sampled: 5 });
  });
});

describe('the budgets', () => {
  it('have usual values within their bounds', () => {
    for (const { least, usual, most } of Object.values(DISCOVERY_LIMITS)) {
      expect(usual).toBeGreaterThanOrEqual(least);
      expect(usual).toBeLessThanOrEqual(most);
    }
  });
});
