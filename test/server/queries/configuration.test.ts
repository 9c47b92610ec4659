import { afterEach, describe, expect, it } from 'vitest';
import type { ConfigCheck } from '@/lib/protocol/advice';
import { CONFIG_CHECKS } from '@/lib/protocol/closed-sets';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { ask } from './ask';
import { startServer, type TestServer } from './server-under-test';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function aServer(options: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(options);
  stops.push(server.stop);
  return server;
}

async function checksOf(server: TestServer): Promise<ConfigCheck[]> {
  server.context.adviceMemory.configuration.forget();
  return (await ask(server.as('viewer'), 'configuration', {})).checks;
}

async function checkOf(server: TestServer, id: ConfigCheck['id']): Promise<ConfigCheck> {
  const check = (await checksOf(server)).find((one) => one.id === id);
  if (!check) throw new Error(`${id} was not checked`);
  return check;
}

const statesOf = (checks: readonly ConfigCheck[]): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, state, severity }) => [id, severity ?? state]));

const RIGHT = [
  ...['--appendonly', 'yes', '--appendfsync', 'always', '--tcp-keepalive', '60'],
  ...['--maxmemory', '200mb', '--maxmemory-policy', 'noeviction', '--timeout', '0'],
];
/** What README asks for, and who the console is, so that its rights can be checked as well. */
const OWN_USER = [
  ...['resetchannels', 'allchannels', '%R~*', '%RW~lockscope:canary:*', '+@read', '+@connection'],
  ...['+psubscribe', '+punsubscribe', '+multi', '+exec', '+pubsub', '+info', '+config|get'],
  ...['+client|list', '+eval_ro', '+evalsha_ro', '+time', '+set', '+hset', '+zadd', '+del'],
  ...['+pexpire', '+acl|whoami', '+acl|getuser'],
];

/** Makes `replica` one of `primary` and waits until the primary says so. */
async function replicate(primary: TestRedis, replica: TestRedis): Promise<void> {
  const client = primary.client();
  await client.config('SET', 'repl-diskless-sync-delay', '0');
  await replica.client().call('REPLICAOF', '127.0.0.1', `${primary.port}`);
  await until('the replica is there', async () =>
    /slave0:.*state=online/.test(await client.info('replication')),
  );
}

describe('a Redis that is set right', () => {
  it('passes every check that can be seen, and praises nothing else', async () => {
    const server = await aServer({
      acl: OWN_USER,
      redis: { flags: 'KEA', args: [...RIGHT] },
      provider: { lockTimeoutMs: 30_000, retryDelayMs: 45_000 },
    });
    await server.client.config('SET', 'requirepass', 'secret');
    const checks = await until('the canary came back', async () => {
      const all = await checksOf(server);
      return all.every(({ state }) => state === 'ok') ? all : null;
    });
    expect(checks.map(({ id }) => id).toSorted()).toEqual([...CONFIG_CHECKS].toSorted());
    expect(checks.every(({ command, severity }) => command === null && severity === null)).toBe(
      true,
    );
  });
});

describe('a Redis that is set wrong', () => {
  it('is told of each fault with its reason and the command that ends it', async () => {
    const server = await aServer({
      redis: {
        flags: 'KEg$',
        args: [
          ...['--maxmemory', '200mb', '--maxmemory-policy', 'volatile-lru', '--timeout', '30'],
          ...['--tcp-keepalive', '0', '--save', '3600 1 300 100'],
        ],
      },
      provider: { retryDelayMs: 44_999, lockKeyTemplates: ['order_sync'] },
    });
    const checks = await until('it is known what is not told', async () => {
      const all = await checksOf(server);
      return statesOf(all)['notifications'] === 'warning' ? all : null;
    });
    expect(statesOf(checks)).toMatchObject({
      ...{ eviction: 'critical', persistence: 'warning', 'idle-connections': 'warning' },
      ...{ 'retry-delay': 'warning', 'empty-keys': 'warning', 'access-control': 'critical' },
      ...{ 'console-rights': 'info' },
    });
    const bySeverity = checks.map(({ severity }) => severity).filter((one) => one !== null);
    const ranks = bySeverity.map((one) => ['critical', 'warning', 'info'].indexOf(one));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    for (const { state, command } of checks) if (state === 'wrong') expect(command).not.toBeNull();
    const [byName, evidenceOf] = [
      (id: string) => checks.find((check) => check.id === id),
      (id: string) => byName(id)?.evidence ?? [],
    ];
    expect(byName('persistence')?.reason).toMatch(/locks of up to 1 h/);
    expect(evidenceOf('eviction')).toContainEqual({
      ...{ name: 'maxmemory_policy', value: 'volatile-lru' },
    });
    expect(byName('retry-delay')?.command).toMatch(/retry_delay_ms: 45000/);
    // Each command of redis-cli is one that this Redis takes.
    for (const { command } of checks) {
      const set = /^redis-cli -h 127.0.0.1 -p \d+ CONFIG SET (.*)$/.exec(command ?? '')?.[1];
      if (set === undefined || set.includes('requirepass')) continue;
      const words = [...set.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
      await server.client.call('CONFIG', 'SET', ...words.map(String));
    }
    const after = await until('what was set counts', async () => {
      const states = statesOf(await checksOf(server));
      return states['notifications'] === 'ok' ? states : null;
    });
    expect(after).toMatchObject({
      ...{ eviction: 'ok', persistence: 'ok', notifications: 'ok', 'idle-connections': 'info' },
    });
  });

  it('without a disk, or with a log that is not written through, is told apart', async () => {
    const server = await aServer({});
    expect((await checkOf(server, 'persistence')).reason).toMatch(/Nothing is kept on disk/);
    await server.client.config('SET', 'appendonly', 'yes');
    expect(await checkOf(server, 'persistence')).toMatchObject({
      state: 'wrong',
      severity: 'info',
    });
    await server.client.config('SET', 'appendfsync', 'no');
    expect((await checkOf(server, 'persistence')).reason).toMatch(/30 s/);
  });

  it('that cuts off slow readers early is judged by the events there are', async () => {
    const server = await aServer({});
    const limit = 'client-output-buffer-limit';
    await server.client.config('SET', limit, 'pubsub 100kb 50kb 1');
    const stop = new AbortController();
    const busy = (async () => {
      while (!stop.signal.aborted) {
        const pipeline = server.client.pipeline();
        for (let n = 0; n < 20; n++) pipeline.set(`inv:${n}`, 'a', 'PX', 60_000).del(`inv:${n}`);
        await pipeline.exec();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const small = await until('events are counted', async () => {
      const check = await checkOf(server, 'output-buffer');
      return check.state === 'wrong' ? check : null;
    });
    stop.abort();
    await busy;
    expect(small.command).toBe(
      `redis-cli -h 127.0.0.1 -p ${server.redis.port} CONFIG SET client-output-buffer-limit "pubsub 256mb 64mb 60"`,
    );
    await server.client.config('SET', limit, 'pubsub 0 0 0');
    const check = await checkOf(server, 'output-buffer');
    expect(check.state === 'ok' || /has cut the console off/.test(check.reason)).toBe(true);
  });
});

describe('replicas', () => {
  it('that tell nothing, or that nobody has to follow, are found', async () => {
    const server = await aServer({});
    const replica = await startRedis({ flags: '' });
    stops.push(replica.stop);
    await replicate(server.redis, replica);
    expect(await checkOf(server, 'replica-notifications')).toMatchObject({
      ...{ state: 'wrong', severity: 'warning' },
      command: `redis-cli -h 127.0.0.1 -p ${replica.port} CONFIG SET notify-keyspace-events AKE`,
    });
    expect(await checkOf(server, 'replica-acknowledgement')).toMatchObject({ severity: 'info' });
    await replica.client().config('SET', 'notify-keyspace-events', 'KEA');
    await server.client.call('CONFIG', 'SET', 'min-replicas-to-write', '1');
    expect((await checkOf(server, 'replica-notifications')).state).toBe('ok');
    expect((await checkOf(server, 'replica-acknowledgement')).state).toBe('ok');
    await replica.client().config('SET', 'requirepass', 'other');
    expect(await checkOf(server, 'replica-notifications')).toMatchObject({
      ...{ state: 'unknown', severity: null },
      command: `redis-cli -h 127.0.0.1 -p ${replica.port} CONFIG GET notify-keyspace-events`,
    });
  });

  it('make votes of a Redlock library out of one server', async () => {
    const server = await aServer({});
    const { client } = server;
    expect((await checkOf(server, 'independent-nodes')).state).toBe('ok');
    await server.context.store.savePin('main', {
      ...{ pattern: 'inv:*', format: 'redlock', createdAt: 1, actor: 'a', reason: 'b' },
    });
    server.context.formats.pins.set({
      ...{ pattern: 'inv:*', format: 'redlock', createdAt: 1, actor: 'a', reason: 'b' },
    });
    await client.set('inv:1', 'x'.repeat(32), 'PX', 60_000);
    await server.lock('inv:1', ({ format }) => format === 'redlock');
    expect((await checkOf(server, 'independent-nodes')).state).toBe('unknown');
    const replica = await startRedis();
    stops.push(replica.stop);
    await replicate(server.redis, replica);
    expect((await checkOf(server, 'independent-nodes')).state).toBe('wrong');
  });
});

describe('services', () => {
  it('that lock in several databases, or by names that a variable left empty, are found', async () => {
    const server = await aServer({});
    const { client, redis } = server;
    expect((await checkOf(server, 'one-db')).state).toBe('ok');
    await redis.client({ db: 5 }).set('order_sync:1', 'x', 'PX', 60_000);
    const unwatched = await until('db 5 is told of', async () => {
      const check = await checkOf(server, 'one-db');
      return check.state === 'ok' ? null : check;
    });
    expect(unwatched).toMatchObject({ state: 'unknown', command: 'LOCKSCOPE_DBS=0,5' });
    // The same class in both: whoever locks in db 5 excludes nobody in db 0.
    await client.set('inv:7', 'x', 'PX', 60_000);
    await server.lock('inv:7');
    await redis.client({ db: 5 }).set('inv:9', 'y', 'PX', 60_000);
    const several = await checkOf(server, 'one-db');
    expect(several).toMatchObject({ state: 'wrong', severity: 'critical' });
    expect(several.reason).toContain('inv:* are taken in the databases 0, 5');
    await client.hset('qoder:lock:order_sync:', '8e2c1c9e-4f5a-8a0e-9a0f-1b2c3d4e5f60:1', '1');
    await client.pexpire('qoder:lock:order_sync:', 60_000);
    const empty = await until('the alert fires', async () => {
      const check = await checkOf(server, 'empty-keys');
      return check.state === 'wrong' ? check : null;
    });
    expect(empty).toMatchObject({ severity: 'critical' });
    expect(empty.reason).toContain('order_sync:');
  });

  it('that release without looking who holds are named', async () => {
    const server = await aServer({});
    expect((await checkOf(server, 'owner-check')).state).toBe('ok');
    const value = 'ADDED:2026-01-01T00:00:00.000Z@host-1:0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';
    await server.client.set('job-lock:default:report', value, 'PX', 60_000);
    await server.lock('job-lock:default:report');
    const check = await checkOf(server, 'owner-check');
    expect(check).toMatchObject({ state: 'wrong', severity: 'warning' });
    expect(check.command).toContain('safeUpdate(true)');
  });
});

describe('a console that may not ask', () => {
  it('says what it does not know and the rule that would tell, and never that it is fine', async () => {
    const acl = ['allchannels', '~*', '+@all', '-config', '-info', '-acl'];
    const server = await aServer({ acl, redis: { args: [...RIGHT] } });
    const states = statesOf(await checksOf(server));
    expect(states).toMatchObject({
      ...{ eviction: 'unknown', persistence: 'unknown', 'output-buffer': 'unknown' },
      ...{ 'replica-notifications': 'unknown', 'replica-acknowledgement': 'unknown' },
      ...{ 'idle-connections': 'unknown', 'console-rights': 'unknown', 'one-db': 'unknown' },
    });
    const { reason, command } = await checkOf(server, 'persistence');
    expect(reason).toContain('ACL SETUSER watcher +config|get');
    expect(command).toBe(
      `redis-cli -h 127.0.0.1 -p ${server.redis.port} CONFIG GET appendonly appendfsync save`,
    );
  });

  it('says of one that may too much what goes beyond its needs', async () => {
    const server = await aServer({ acl: ['allchannels', '~*', '+@all'] });
    const check = await checkOf(server, 'console-rights');
    expect(check).toMatchObject({ state: 'wrong', severity: 'info' });
    expect(check.reason).toContain('+@all');
    const rules =
      /ACL SETUSER (.*)$/
        .exec(check.command ?? '')?.[1]
        ?.replaceAll("'", '')
        .split(' ') ?? [];
    await server.client.call('ACL', 'SETUSER', ...rules, '+acl|whoami', '+acl|getuser');
    expect((await checkOf(server, 'console-rights')).state).toBe('ok');
  });
});
