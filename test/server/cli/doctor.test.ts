import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import type { CheckResult, Patient } from '@/server/cli/checks/check';
import { clock } from '@/server/cli/checks/durability';
import { withPatient } from '@/server/cli/checks/patient';
import { version } from '@/server/cli/checks/server';
import { register as doctor } from '@/server/cli/doctor';
import { loadSettings } from '@/server/config';
import { cliWithFile, PASSWORD } from '@/test/server/cli/lock-file';
import type { TestCli } from '@/test/server/cli/locks/run-cli';
import { freePort } from '@/test/support/free-port';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let redis: TestRedis;
const opened: TestCli[] = [];

beforeAll(async () => {
  redis = await startRedis({
    password: PASSWORD,
    flags: 'KEAn',
    args: ['--repl-diskless-sync-delay', '0'],
  });
});
afterAll(async () => await redis.stop());
beforeEach(async () => void (await redis.client().flushall()));
afterEach(async () => {
  for (const cli of opened.splice(0)) await cli.remove();
});

async function open(options: Parameters<typeof cliWithFile>[1] = {}, on = redis): Promise<TestCli> {
  const cli = await cliWithFile(on, options);
  opened.push(cli);
  return cli;
}

interface Diagnosis {
  code: number;
  ok: boolean;
  of: (id: string) => CheckResult | undefined;
}

async function diagnose(
  options: Parameters<typeof cliWithFile>[1] = {},
  on: TestRedis = redis,
): Promise<Diagnosis> {
  const ran = await (await open(options, on)).run([doctor], 'doctor', '--json');
  expect(ran.out + ran.err).not.toContain(PASSWORD);
  const { ok, checks } = ran.json<{ ok: boolean; checks: CheckResult[] }>();
  return { code: ran.code, ok, of: (id) => checks.find((check) => check.id === id) };
}

/** What one check says of a Redis whose settings were changed for it. */
async function withConfig(
  changes: Record<string, string>,
  id: string,
): Promise<CheckResult | undefined> {
  const client = redis.client();
  const before = new Map<string, string>();
  for (const [name, value] of Object.entries(changes)) {
    const [, present] = (await client.config('GET', name)) as [string, string];
    before.set(name, present);
    await client.config('SET', name, value);
  }
  try {
    return (await diagnose()).of(id);
  } finally {
    for (const [name, value] of before) await client.config('SET', name, value);
  }
}

const examined = async <T>(look: (patient: Patient) => Promise<T>): Promise<T> =>
  await withPatient(loadSettings((await open()).env), look);

describe('doctor', () => {
  it('finds nothing wrong on a Redis that is set up well, and changes nothing', async () => {
    const client = redis.client();
    const lines = ((await client.config('GET', '*')) as string[]).join('\n');
    const diagnosis = await diagnose({
      more: 'retry_delay_ms: 45000\nlock_key_template: "order_sync:${event.order_no}"',
    });
    expect(diagnosis).toMatchObject({ code: 0, ok: true });
    expect(((await client.config('GET', '*')) as string[]).join('\n')).toBe(lines);
    expect(await client.dbsize()).toBe(0);
  });

  it('shows each finding on lines of at most 100 columns, with its remedy below', async () => {
    await redis.client({ db: 2 }).hset('qoder:lock:order_sync:', 'a:1', '1');
    const { out, code } = await (await open()).run([doctor], 'doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/✗ empty-keys {12}"qoder:lock:order_sync:"/);
    expect(out).toContain('→ Have every event carry the field');
    const long = out.split('\n').filter((line) => line.length > 100 && !line.includes('→'));
    expect(long).toEqual([]);
  });

  it('ends with 1 and the checks of the settings alone where Redis does not answer', async () => {
    const { code, of } = await diagnose({ url: `redis://127.0.0.1:${await freePort()}/2` });
    expect(code).toBe(1);
    expect(of('connection')).toMatchObject({ state: 'fail' });
    expect(of('lock-timeout')).toMatchObject({ state: 'ok' });
    expect(of('version')).toBeUndefined();
  });

  it('tells of a setting that cannot be used', async () => {
    const { code, of } = await diagnose({ more: 'retries: 3' });
    expect(code).toBe(1);
    expect(of('settings')?.message).toContain('there is no field redis-lock-provider.retries');
  });
});

describe('doctor on the server', () => {
  it('refuses a Redis older than 7.0 by what it says of itself', async () => {
    const told = await examined(async (patient) => {
      const facts = { ...patient.facts, version: '6.2.14' };
      return await version.run({ ...patient, facts });
    });
    expect(told).toMatchObject({ state: 'fail' });
  });

  it('asks for the version by HELLO where INFO is forbidden', async () => {
    await redis
      .client()
      .call('ACL', [
        'SETUSER',
        'blind',
        'on',
        '>b',
        'allkeys',
        'allchannels',
        '+@all',
        '-info',
        '-config',
      ]);
    const { of } = await diagnose({ user: 'blind', password: 'b' });
    expect(of('version')).toMatchObject({ state: 'ok' });
    expect(of('notifications')).toMatchObject({ state: 'unknown' });
    expect(of('persistence')).toMatchObject({ state: 'unknown' });
    expect(of('console-permissions')?.remedy).toContain('+info +config|get');
  });

  it('sees that anybody gets in without a password', async () => {
    const client = redis.client();
    await client.call('ACL', ['SETUSER', 'named', 'on', '>n', 'allkeys', 'allchannels', '+@all']);
    await client.call('ACL', ['SETUSER', 'default', 'nopass']);
    try {
      const { of } = await diagnose({ user: 'named', password: 'n' });
      expect(of('access-control')).toMatchObject({ state: 'fail' });
    } finally {
      await client.call('ACL', ['SETUSER', 'default', 'resetpass', `>${PASSWORD}`]);
    }
  });

  it.each([
    ['eviction', { maxmemory: '100mb', 'maxmemory-policy': 'volatile-lru' }, 'fail'],
    ['eviction', { 'maxmemory-policy': 'volatile-lru' }, 'ok'],
    ['notifications', { 'notify-keyspace-events': '' }, 'warn'],
    ['notifications', { 'notify-keyspace-events': 'KEA' }, 'ok'],
    ['persistence', {}, 'warn'],
    ['persistence', { appendonly: 'yes' }, 'ok'],
    ['replicas', {}, 'ok'],
    ['replicas', { 'min-replicas-to-write': '2' }, 'fail'],
  ])('%s with %o: %s', async (id, changes, state) => {
    expect(await withConfig(changes as Record<string, string>, id)).toMatchObject({ state });
  });

  it('sees a replica that a cut-off primary would not wait for, and that a replica takes no locks', async () => {
    const replica = await startRedis({
      password: PASSWORD,
      args: ['--replicaof', '127.0.0.1', `${redis.port}`, '--masterauth', PASSWORD],
    });
    const client = redis.client();
    try {
      await until('the replica is there', async () =>
        (await client.info('replication')).includes('state=online'),
      );
      expect((await diagnose()).of('replicas')).toMatchObject({ state: 'warn' });
      expect(await withConfig({ 'min-replicas-to-write': '1' }, 'replicas')).toMatchObject({
        state: 'ok',
      });
      expect((await diagnose({}, replica)).of('replicas')).toMatchObject({
        state: 'fail',
        remedy: expect.stringContaining(`127.0.0.1:${redis.port}`),
      });
    } finally {
      await replica.stop();
    }
  });

  it.each([
    [5_000, 'behind'],
    [-5_000, 'ahead of'],
  ])('measures a clock that is %i ms off', async (offMs, word) => {
    const told = await examined(
      async (patient) => await clock.run({ ...patient, now: () => Date.now() + offMs }),
    );
    expect(told).toMatchObject({ state: 'warn', message: expect.stringContaining(word) });
  });

  it('finds the clocks of one machine together', async () => {
    expect((await diagnose()).of('clock')).toMatchObject({ state: 'ok' });
  });
});

describe('doctor on locks', () => {
  it('finds locks of the same prefix in another db', async () => {
    await redis.client({ db: 7 }).hset('qoder:lock:a', 'x:1', '1');
    const found = (await diagnose()).of('db-mismatch');
    expect(found).toMatchObject({ state: 'fail', message: expect.stringContaining('db 7 holds') });
  });

  it('finds lock clients in another db while they hold nothing', async () => {
    const client = createLockClient({ redis: redis.client({ db: 7 }) });
    try {
      const lock = await client.acquire('a');
      await lock.release();
      await until(
        'the client has told who it is',
        async () =>
          (await redis.client({ db: 7 }).exists(`lockscope:instance:${client.instance}`)) === 1,
      );
      const found = (await diagnose()).of('db-mismatch');
      expect(found).toMatchObject({
        state: 'fail',
        message: expect.stringContaining('db 7 has 1 lock client'),
      });
    } finally {
      await client.close();
    }
  });

  it('says that it does not know where it may not look', async () => {
    await redis
      .client()
      .call('ACL', ['SETUSER', 'narrow', 'on', '>n', 'allkeys', 'allchannels', '+@all', '-scan']);
    await redis.client({ db: 7 }).hset('qoder:lock:a', 'x:1', '1');
    const { of } = await diagnose({ user: 'narrow', password: 'n' });
    expect(of('db-mismatch')).toMatchObject({ state: 'unknown' });
    expect(of('empty-keys')).toMatchObject({ state: 'unknown' });
  });

  it.each(['', 'order_sync:', 'order_sync:undefined', 'order_sync:null:eu', 'order_sync: '])(
    'finds the empty lock "%s"',
    async (name) => {
      await redis.client({ db: 2 }).hset(`qoder:lock:${name}`, 'x:1', '1');
      expect((await diagnose()).of('empty-keys')).toMatchObject({ state: 'fail' });
    },
  );

  it('takes a lock for named whose name only begins like a missing one', async () => {
    await redis.client({ db: 2 }).hset('qoder:lock:order_sync:nullable', 'x:1', '1');
    expect((await diagnose()).of('empty-keys')).toMatchObject({ state: 'ok' });
  });
});

describe('doctor on the settings', () => {
  it.each([
    ['retry-delay', 'retry_delay_ms: 45000', 'ok'],
    ['retry-delay', 'retry_delay_ms: 44999', 'warn'],
    ['retry-delay', 'retry_delay_ms: 29999', 'fail'],
    ['retry-delay', 'lock_timeout_ms: 1000\nretry_delay_ms: 1500', 'ok'],
    ['retry-delay', 'lock_timeout_ms: 1000', 'unknown'],
    ['lock-timeout', 'lock_timeout_ms: 100', 'warn'],
    ['lock-timeout', 'lock_timeout_ms: 3600000', 'warn'],
    ['lock-key-template', 'lock_key_template: "order_sync:${event.order_no}"', 'ok'],
    ['lock-key-template', 'lock_key_template: "order_sync:{event.order_no}"', 'fail'],
    ['lock-key-template', 'lock_key_template: ["a:${event.a}", "b:${event.b"]', 'fail'],
    ['lock-key-template', 'lock_key_template: "${event.order_no}"', 'warn'],
    ['lock-key-template', 'lock_key_template: ["a:${event.a}", "a:${event.a}"]', 'warn'],
    ['enabled', 'enabled: false', 'fail'],
  ])('%s with %s: %s', async (id, more, state) => {
    const found = (await diagnose({ more })).of(id);
    expect(found).toMatchObject({ state });
    expect(found?.remedy === null).toBe(state === 'ok');
  });

  it('notes a URL without db number', async () => {
    expect((await diagnose({ db: '' })).of('db-number')).toMatchObject({ state: 'warn' });
  });
});
