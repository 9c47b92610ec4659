import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFormatTable, formatTable } from '@/lib/formats';
import type { RawValue, RecogniseContext } from '@/lib/formats/format';
import { beside, hash, set, text, zset } from '@/test/support/raw-values';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { createWakingScripts } from '@/test/support/waking-scripts';

const NOW = 1_800_000_000_000;
const UUID = 'b983c153-7421-469a-addb-44fb92259a1b';
const UUID4_HEX = 'b983c1537421469aaddb44fb92259a1b';
const OTHER_HEX = 'b983c1537421a69aaddb44fb92259a1b';
const WEB = `web_01_4711_${'a'.repeat(32)}`;
const API = `api_9_${'b'.repeat(32)}`;
const WAITING = '_WRITERWAITING';

const found = (key: string, value: RawValue, more: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { declared: false, now: NOW, pttl: 30_000, ...more });
const idsOf = (key: string, value: RawValue, more: Partial<RecogniseContext> = {}): string[] => {
  const best = found(key, value, more);
  return best ? [best.format.id, ...best.others.map(({ format }) => format.id)] : [];
};

describe('recognition', () => {
  it.each<[string, string, RawValue, string, string]>([
    ['Spring by a name that says lock', 'order-lock:17', text(UUID), 'spring-registry', 'likely'],
    ['lock4j', 'lock4j:com.acme.Order.pay#17', text(UUID4_HEX), 'lock4j', 'certain'],
    ['lock4j with another value', 'lock4j:x', text('whatever'), 'lock4j', 'likely'],
    ['a Redisson lock of lock4j', 'lock4j:x', hash([`${UUID}:1`, '1']), 'redisson', 'certain'],
    ['Medallion', 'any', text(WEB), 'medallion', 'certain'],
    ['Medallion’s readers', 'any.readers', set(WEB, API), 'medallion-readers', 'certain'],
    ['Medallion’s writer', 'any.writer', text(WEB), 'medallion-writer', 'certain'],
    ['its writer that waits', 'any.writer', text(WEB + WAITING), 'medallion-writer', 'certain'],
    ['Medallion’s semaphore', 'any', zset([WEB, NOW]), 'medallion-semaphore', 'certain'],
    ['Hangfire', '{hangfire}:lock:recurring', text(UUID), 'hangfire', 'certain'],
  ])('knows %s', (_name, key, value, id, certainty) => {
    expect(found(key, value)).toMatchObject({ format: { id }, recognition: { certainty } });
  });

  it.each<[string, string, RawValue]>([
    ['a uuid at a name that says nothing', 'session:17', text(UUID)],
    ['a uuid that was cut', 'order-lock:17', text('b983c153-7421-469a-addb')],
    ['a host and a number', 'any', text('web-01_4711')],
    ['a host and hex in capitals', 'any', text(`web_1_${'A'.repeat(32)}`)],
    ['a long value of that end', 'any', text(`${'x'.repeat(4000)}_1_${'a'.repeat(32)}`)],
    ['a waiting writer at another key', 'any', text(WEB + WAITING)],
    ['readers at another key', 'any', set(WEB)],
    ['a set of something else too', 'any.readers', set(WEB, 'alice')],
    ['a zset of something else too', 'any', zset([WEB, NOW], ['alice', 3])],
    ['a counter of Hangfire', '{hangfire}:stats:succeeded', text('17')],
    ['a hash of Hangfire', `{hangfire}:job:${UUID}`, hash(['State', 'Done'])],
  ])('leaves %s alone', (_name, key, value) => {
    expect(found(key, value)).toBeNull();
  });

  it('names all who fit a uuid under redlock:', () => {
    const ids = idsOf('redlock:order', text(UUID));
    expect(ids[0]).toBe('redlock-net');
    expect(ids).toContain('pottery');
  });

  it('wants a registry in the name of a lock of Spring', () => {
    expect(idsOf('orders:lock', text(UUID))).toContain('spring-registry');
    expect(idsOf('order-lock', text(UUID))).not.toContain('spring-registry');
  });

  it('names lock4j beside the libraries of random tokens where the digits fit', () => {
    expect(idsOf('res', text(UUID4_HEX))).toEqual(expect.arrayContaining(['redlock', 'lock4j']));
    expect(idsOf('res', text(OTHER_HEX))).not.toContain('lock4j');
    expect(idsOf('res', text(UUID4_HEX), { pttl: null })).toEqual([]);
  });

  it('takes an operator’s word for StackExchange.Redis, and nothing less', () => {
    const pinned = createFormatTable((key) => (key === 'my:key' ? 'stackexchange' : null));
    const context = { declared: true, now: NOW };
    expect(pinned.recognise('my:key', text('machine-1'), context)?.format.id).toBe('stackexchange');
    expect(idsOf('other', text('machine-1'), { declared: true })).toEqual(['pattern']);
  });
});

describe('holders', () => {
  const decode = (id: string, key: string, value: RawValue, near = beside({})) =>
    formatTable
      .byId(id)
      .decode(key, value, { now: NOW, leaseMs: null, clockMs: 100, beside: near });

  it('of Medallion name machine and process', () => {
    expect(decode('medallion', 'any', text(WEB)).holders).toMatchObject([
      { token: WEB, owner: { id: WEB, host: 'web_01', pid: 4711 } },
    ]);
  });

  it('of its readers are all of them, with the writer who waits', () => {
    const near = beside({ 'any.writer': text(WEB + WAITING) });
    const decoded = decode('medallion-readers', 'any.readers', set(WEB, API), near);
    expect(decoded.holders).toMatchObject([
      { token: WEB, role: 'reader' },
      { token: API, role: 'reader', owner: { host: 'api', pid: 9 } },
    ]);
    expect(decoded.waiters).toMatchObject([{ token: WEB, role: 'writer' }]);
    const written = beside({ 'any.writer': text(WEB) });
    expect(decode('medallion-readers', 'any.readers', set(WEB), written).waiters).toEqual([]);
    expect(formatTable.beside('any.readers', null)).toContain('any.writer');
  });

  it('of its writer are the writer, or one who waits and holds nothing', () => {
    expect(decode('medallion-writer', 'any.writer', text(WEB))).toMatchObject({
      holders: [{ token: WEB, role: 'writer' }],
    });
    expect(decode('medallion-writer', 'any.writer', text(WEB + WAITING))).toMatchObject({
      holders: [],
      waiters: [{ token: WEB, owner: { pid: 4711 } }],
    });
  });

  it('of its semaphore have deadlines by Redis’s clock, with fractions', () => {
    const value = zset([API, NOW - 200.25], [WEB, NOW + 900.5]);
    expect(decode('medallion-semaphore', 'any', value).holders).toMatchObject([
      { token: API, deadline: NOW - 100, stale: true },
      { token: WEB, deadline: NOW + 1001, stale: false, role: 'permit' },
    ]);
  });

  it.each(['spring-registry', 'hangfire'])('of %s are an instance', (id) => {
    expect(decode(id, 'k', text(UUID)).holders).toMatchObject([
      { owner: { instance: UUID, thread: null } },
    ]);
  });

  it('come back or steal where their library does so', () => {
    expect(formatTable.byId('redlock-net').oldHolder).toBe('revives');
    expect(formatTable.byId('shedlock').oldHolder).toBe('steals');
    expect(formatTable.byId('medallion').oldHolder ?? 'fails').toBe('fails');
  });
});

describe('on a real Redis', () => {
  let server: TestRedis;
  let redis: Redis;
  let scripts: ReturnType<typeof createWakingScripts>;

  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
    scripts = createWakingScripts(server, redis);
  });
  afterAll(async () => await server.stop());
  beforeEach(async () => void (await redis.flushall()));
  afterEach(async () => await scripts.silence());

  it.each([
    'spring-registry',
    'lock4j',
    'redlock-net',
    'stackexchange',
    'hangfire',
    'medallion',
    'medallion-writer',
  ])('the release of %s compares the value', async (id) => {
    await redis.set('a:lock', 'B', 'PX', 60_000);
    expect(await scripts.release(id, 'a:lock', text('A'))).toEqual([-1]);
    expect(await redis.get('a:lock')).toBe('B');
    expect(await scripts.release(id, 'a:lock', text('B'))).toEqual([1, expect.any(Number)]);
    expect(await scripts.release(id, 'a:lock', text('B'))).toEqual([0]);
    await redis.rpush('a:lock', 'B');
    expect(await scripts.release(id, 'a:lock', text('B'))).toEqual([-1]);
  });

  it('a release of Spring sends what its waiters listen to, whichever the registry is', async () => {
    const key = 'app:locks:order:17';
    await redis.set(key, UUID);
    const short = await scripts.listen('app-channel:*', 'psubscribe');
    const long = await scripts.listen('app:locks-channel:*', 'psubscribe');
    expect(await scripts.release('spring-registry', key, text(UUID))).toEqual([1, 2]);
    await until('both hear of it', () => short.length > 0 && long.length > 0);
    expect([...short, ...long]).toEqual([key, key]);
  });

  it('waiters of a free lock of Spring are woken, and of no other', async () => {
    const waiting = await scripts.listen('app-channel:*', 'psubscribe');
    expect(await scripts.wake('spring-registry', 'app:17')).toEqual([1, 1]);
    await until('it is heard', () => waiting.length > 0);
    expect(waiting).toEqual(['app:17']);
    expect(await scripts.wake('spring-registry', 'other:17')).toEqual([0]);
    await redis.set('app:17', UUID);
    expect(await scripts.wake('spring-registry', 'app:17')).toEqual([-1]);
  });

  it('the readers seen are removed, and others stay', async () => {
    const key = 'any.readers';
    await redis.sadd(key, WEB, API, 'later');
    expect(await scripts.release('medallion-readers', key, set(WEB, 'gone'))).toEqual([-1]);
    expect(await redis.scard(key)).toBe(3);
    expect(await scripts.release('medallion-readers', key, set(WEB, API))).toEqual([1, -1]);
    expect(await redis.smembers(key)).toEqual(['later']);
  });

  it('one reader is removed alone', async () => {
    const remove = async (key: string, member: string) =>
      await scripts.remove('medallion-readers', key, member, { value: set(WEB, API) });
    await redis.sadd('any.readers', WEB, API);
    expect(await remove('any.readers', WEB)).toEqual([1, -1]);
    expect(await remove('any.readers', WEB)).toEqual([0]);
    expect(await redis.smembers('any.readers')).toEqual([API]);
    expect(await remove('none.readers', WEB)).toEqual([0]);
    await redis.set('text.readers', 'x');
    expect(await remove('text.readers', WEB)).toEqual([-1]);
  });

  it('one ticket of a semaphore is removed alone', async () => {
    await redis.zadd('sem', NOW, WEB, NOW, API);
    const remove = async () =>
      await scripts.remove('medallion-semaphore', 'sem', WEB, { value: zset([WEB, 1], [API, 1]) });
    expect(await remove()).toEqual([1, -1]);
    expect(await remove()).toEqual([0]);
    expect(await redis.zrange('sem', '0', '-1')).toEqual([API]);
    const seen = zset([API, NOW]);
    expect(await scripts.release('medallion-semaphore', 'sem', seen)).toEqual([1, -1]);
  });
});
