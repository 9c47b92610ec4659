import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let started: Watching[] = [];

async function begin(
  options: Parameters<typeof startRedis>[0],
  overrides: Parameters<typeof watchOf>[1] = {},
): Promise<Watching> {
  server = await startRedis(options);
  redis = server.client();
  return await watch(overrides);
}

async function watch(overrides: Parameters<typeof watchOf>[1] = {}): Promise<Watching> {
  const watching = watchOf(server, overrides);
  started.push(watching);
  await watching.watch.start();
  return watching;
}

const node = (watching: Watching) => watching.watch.status().nodes[0];
const warning = (watching: Watching, code: string) =>
  watching.watch.status().warnings.find((each) => each.code === code);
const asUser = (name: string): string => server.url.replace('//', `//${name}:pw@`);

beforeEach(() => {
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((each) => each.watch.stop()));
  await server.stop();
});

describe('incomplete notify-keyspace-events', () => {
  it.each([
    ['', { acquire: false, release: false, lapse: false, eviction: false }, ['K', '$']],
    ['Ex', { acquire: false, release: false, lapse: true, eviction: false }, ['$', 'g']],
    ['E$', { acquire: true, release: false, lapse: false, eviction: false }, ['h', 'g', 'x']],
    ['KA', { acquire: true, release: true, lapse: true, eviction: true }, []],
    ['K$', { acquire: true, release: false, lapse: false, eviction: false }, ['h', 'z', 'g']],
  ])('with "%s" says what is not seen', async (flags, canSee, missing) => {
    const watching = await begin({ flags });
    await until('judged', () => node(watching)?.canSee.acquire === canSee.acquire);
    expect(node(watching)?.canSee).toEqual(canSee);
    expect(node(watching)?.missingClasses).toEqual(expect.arrayContaining(missing));
    if (flags === 'KA') expect(warning(watching, 'blind')).toBeUndefined();
    else {
      expect(warning(watching, 'blind')?.message).toContain(canSee.release ? '' : 'releases');
      expect(warning(watching, 'blind')?.remedy).toBe('CONFIG SET notify-keyspace-events KEAn');
    }
  });

  it('names the kind of lock that is blind when strings are seen and hashes are not', async () => {
    const watching = await begin({ flags: 'K$gxe' });
    expect(node(watching)).toMatchObject({
      canSee: { acquire: true, release: true },
      acquireOf: { string: true, hash: false, zset: false },
    });
    expect(warning(watching, 'blind')?.message).toContain('Redisson');
  });

  it('heals without a restart when the flags are set, and finds locks by sweeping until then', async () => {
    const watching = await begin({ flags: '' });
    await until('ready', () => watching.watch.ready);
    await redis.set('lock:unseen', 't', 'PX', 60_000);
    await until('found by a sweep', () => watching.reads('lock:unseen').length > 0);
    expect(watching.reads('lock:unseen')[0]?.cause).toBe('sweep');
    await redis.config('SET', 'notify-keyspace-events', 'KEAn');
    await until('seen again', () => node(watching)?.canSee.acquire === true);
    expect(watching.of('sight').at(-1)?.canSee.release).toBe(true);
    await redis.set('lock:seen', 't');
    await until('an event', () => watching.events('lock:seen').length > 0);
  });

  it('is a gap when it is taken away while we watch', async () => {
    const watching = await begin({ flags: 'KEA' });
    await redis.config('SET', 'notify-keyspace-events', '');
    await until('blind', () => node(watching)?.canSee.acquire === false);
    expect(node(watching)?.gaps).toMatchObject([{ to: null, reason: 'canary-lost' }]);
    await redis.config('SET', 'notify-keyspace-events', 'KEA');
    await until('the gap ends', () => watching.of('gap').length > 0);
    expect(watching.of('gap')[0]?.reason).toBe('canary-lost');
    expect(node(watching)?.gaps[0]?.to).not.toBeNull();
  });
});

describe('permissions', () => {
  it('names the missing channel rule, still lists locks, and heals when it is granted', async () => {
    server = await startRedis({ flags: 'KEA' });
    redis = server.client();
    await redis.acl(
      'SETUSER',
      'eve',
      'on',
      '>pw',
      'resetchannels',
      '&__key*__:*',
      '~*',
      '+@read',
      '+@pubsub',
    );
    await redis.set('lock:listed', 'token', 'PX', 60_000);
    const watching = await watch({ url: asUser('eve') });
    expect(warning(watching, 'blind')?.remedy).toBe(
      'ACL SETUSER eve +psubscribe &__keyspace@*__:* &__keyevent@*__:*',
    );
    await until('listed', () => watching.reads('lock:listed').length > 0);
    expect(watching.reads('lock:listed')[0]).toMatchObject({ value: { bytes: 'token' } });
    const status = watching.watch.status();
    expect(status.capabilities).toMatchObject({ config: false, client: false, eval: false });
    expect(status.missingRules.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([
        'ACL SETUSER eve +config|get',
        'ACL SETUSER eve +psubscribe &__keyspace@*__:* &__keyevent@*__:*',
      ]),
    );
    await redis.acl('SETUSER', 'eve', '&__keyspace@*__:*');
    await until('subscribed', () => node(watching)?.patterns[0] === '__keyspace@*__:*');
    await redis.set('lock:new', 'x');
    await until('an event', () => watching.events('lock:new').length > 0);
    await until('read by plain commands', () => watching.story('lock:new').includes('=x'));
  });

  it('uses keyevent channels where only those are allowed', async () => {
    server = await startRedis({ flags: 'KEAn' });
    redis = server.client();
    await redis.acl(
      'SETUSER',
      'kev',
      'on',
      '>pw',
      'resetchannels',
      '&__keyevent@*__:*',
      '~*',
      '+@all',
    );
    const watching = await watch({ url: asUser('kev') });
    expect(node(watching)).toMatchObject({
      patterns: ['__keyevent@*__:*'],
      canSee: { acquire: true },
    });
    await redis.set('lock:a', 'x', 'PX', 60_000);
    await until('events', () => watching.story('lock:a').includes('=x'));
    expect(watching.events('lock:a').map((e) => e.event)).toEqual(['new', 'set', 'expire']);
  });

  it('finds the carrier by trying where CONFIG is forbidden', async () => {
    server = await startRedis({ flags: 'EA' });
    redis = server.client();
    await redis.acl('SETUSER', 'noc', 'on', '>pw', 'allchannels', '~*', '+@all', '-config');
    const watching = await watch({ url: asUser('noc') });
    await until('seen', () => node(watching)?.canSee.acquire === true);
    expect(node(watching)).toMatchObject({ notifyFlags: null, patterns: ['__keyevent@*__:*'] });
  });

  it('judges by the flags where the canary may not be written', async () => {
    server = await startRedis({ flags: 'KEA' });
    redis = server.client();
    await redis.acl(
      'SETUSER',
      'obs',
      'on',
      '>pw',
      'allchannels',
      '~*',
      '+@read',
      '+@pubsub',
      '+config|get',
      '+info',
      '+eval_ro',
      '+evalsha_ro',
    );
    const watching = await watch({ url: asUser('obs') });
    expect(node(watching)).toMatchObject({
      canSee: { acquire: true, release: true, lapse: true },
      canaryMs: null,
    });
    await redis.set('lock:a', 'x');
    await until('read', () => watching.story('lock:a').includes('=x'));
  });

  it('does not know what it cannot find out', async () => {
    server = await startRedis({ flags: 'KEA' });
    redis = server.client();
    await redis.acl('SETUSER', 'min', 'on', '>pw', 'allchannels', '~*', '+@read', '+@pubsub');
    const watching = await watch({ url: asUser('min') });
    expect(node(watching)?.canSee).toEqual({
      acquire: null,
      release: null,
      lapse: null,
      eviction: null,
    });
  });

  it('reads what it may when some keys are forbidden', async () => {
    server = await startRedis({ flags: 'KEA' });
    redis = server.client();
    await redis.acl('SETUSER', 'few', 'on', '>pw', 'allchannels', '~lock:mine:*', '+@all');
    await redis.set('lock:mine:1', 'a');
    await redis.set('lock:other:1', 'b');
    const watching = await watch({ url: asUser('few') });
    await until('ready', () => watching.watch.ready);
    await until('read', () => watching.reads('lock:mine:1').length > 0);
    expect(watching.reads('lock:other:1')).toEqual([]);
    await expect(watching.watch.readNow({ db: 0, key: 'lock:other:1' })).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
    });
    expect(watching.watch.status().missingRules).toContainEqual({
      capability: 'read',
      rule: 'ACL SETUSER few +@read %R~*',
    });
  });

  it('polls where HELLO 3 is impossible', async () => {
    const watching = await begin({ flags: 'KEA', args: ['--rename-command', 'HELLO', ''] });
    expect(warning(watching, 'blind')?.message).toContain('RESP3');
    await redis.set('lock:polled', 'x');
    await until('found by polling', () => watching.reads('lock:polled').length > 0);
  });
});

describe('other things an operator should know', () => {
  it('names dbs that have keys and are not watched; with them watched the lock carries its db', async () => {
    const watching = await begin({ flags: 'KEA' });
    await redis.select(5);
    await redis.set('lock:db5', 't', 'PX', 50_000);
    await until('noticed', () => warning(watching, 'db-mismatch')?.message.includes('lock:db5'));
    expect(warning(watching, 'db-mismatch')).toMatchObject({
      message: 'db 5 has keys and is not watched (locks by their names: lock:db5)',
      remedy: 'LOCKSCOPE_DBS=0,5',
    });
    expect(watching.watch.status().unwatchedDbs).toEqual([5]);
    const both = await watch({ dbs: [0, 5] });
    await until('swept', () => both.reads('lock:db5').length > 0);
    expect(both.reads('lock:db5')[0]).toMatchObject({ db: 5, value: { bytes: 't' } });
    await redis.set('lock:more', 'u');
    await until('event and read', () => both.story('lock:more').includes('=u'));
    expect(both.events('lock:more')[0]?.db).toBe(5);
    const all = await watch({ dbs: 'all' });
    expect(all.watch.status().dbs).toHaveLength(16);
    await until('swept', () => all.reads('lock:db5').length > 0);
    expect(warning(all, 'db-mismatch')).toBeUndefined();
  });

  it('warns of eviction, of a missing password, and of a replica', async () => {
    const watching = await begin({ flags: 'KEA' }, { allowInsecureRedis: false });
    expect(warning(watching, 'insecure-redis')?.remedy).toMatch(/requirepass/);
    expect(warning(watching, 'eviction-risk')).toBeUndefined();
    await redis.config('SET', 'maxmemory', '1gb');
    await redis.config('SET', 'maxmemory-policy', 'volatile-lru');
    await until('noticed', () => warning(watching, 'eviction-risk'));
    expect(warning(watching, 'eviction-risk')?.message).toContain('volatile-lru');
    await redis.replicaof('127.0.0.1', 1);
    await until('noticed', () => warning(watching, 'replica-attached'));
    expect(node(watching)?.role).toBe('replica');
  });

  it('has nothing to say of one that is as it should be', async () => {
    const watching = await begin(
      { flags: 'KEAn', password: 'secret' },
      { allowInsecureRedis: false },
    );
    await until('ready', () => watching.watch.ready);
    expect(watching.watch.status().warnings).toEqual([]);
    expect(node(watching)).toMatchObject({ connected: true, role: 'primary' });
  });
});

describe('a first connection that fails', () => {
  it('is refused with a sentence that says what to check', async () => {
    server = await startRedis({ password: 'secret' });
    const wrong = watchOf(server, { url: server.url.replace('secret', 'wrong') });
    await expect(wrong.watch.start()).rejects.toMatchObject({
      code: 'TARGET_UNAVAILABLE',
      message: expect.stringContaining('credentials'),
    });
    const nobody = watchOf(server, { url: 'redis://127.0.0.1:1/0' });
    await expect(nobody.watch.start()).rejects.toMatchObject({ code: 'TARGET_UNAVAILABLE' });
    const nowhere = watchOf(server, { url: 'redis://no-such-host.invalid:6379/0' });
    await expect(nowhere.watch.start()).rejects.toMatchObject({ code: 'TARGET_UNAVAILABLE' });
    expect(() => watchOf(server, { mode: 'cluster' })).toThrow(/not supported yet/);
  });
});
