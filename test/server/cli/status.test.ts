import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aclRule } from '@/lib/lock/acl';
import { register as status } from '@/server/cli/status';
import { cliWithFile, PASSWORD } from '@/test/server/cli/lock-file';
import type { Ran, TestCli } from '@/test/server/cli/locks/run-cli';
import { freePort } from '@/test/support/free-port';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

interface Told {
  state: string;
  cause: string | null;
  message: string;
  remedy: string | null;
  notes: string[];
}

let redis: TestRedis;
const opened: TestCli[] = [];

beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
});
afterAll(async () => await redis.stop());
beforeEach(async () => void (await redis.client().flushall()));
afterEach(async () => {
  for (const cli of opened.splice(0)) await cli.remove();
});

async function ask(
  options: Parameters<typeof cliWithFile>[1] & { on?: Pick<TestRedis, 'port'> } = {},
  ...args: string[]
): Promise<Ran> {
  const cli = await cliWithFile(options.on ?? redis, options);
  opened.push(cli);
  const ran = await cli.run([status], 'status', ...args);
  expect(ran.out + ran.err).not.toContain(PASSWORD);
  return ran;
}

async function lockTold(options: Parameters<typeof ask>[0] = {}): Promise<Told & { code: number }> {
  const ran = await ask(options, '--module=lock', '--json');
  return { ...ran.json<{ lock: Told }>().lock, code: ran.code };
}

async function giveUser(name: string, rule: string): Promise<void> {
  const words = rule.split(' ').slice(3);
  await redis.client().call('ACL', ['SETUSER', name, ...words]);
}

describe('status --module=lock', () => {
  it('says active after a lock was taken and given back, and leaves nothing behind', async () => {
    const { code, out } = await ask({}, '--module=lock');
    expect(out).toMatch(/^lock: active\n/);
    expect(code).toBe(0);
    expect(await redis.client({ db: 2 }).dbsize()).toBe(0);
  });

  it('says active for a user who may do what locks need and nothing more', async () => {
    await giveUser('worker', aclRule({ user: 'worker', password: 'w' }));
    await redis.client({ db: 5 }).set('something', 'else');
    expect(await lockTold({ user: 'worker', password: 'w' })).toMatchObject({
      state: 'active',
      code: 0,
      notes: [expect.stringContaining('Other dbs cannot be looked into')],
    });
  });

  it('notes that db 0 is meant where the URL names none', async () => {
    const { state, notes } = await lockTold({ db: '' });
    expect(state).toBe('active');
    expect(notes[0]).toMatch(/lock\.yaml.*redis_url names no db number, so that db 0 is meant/);
  });

  it('names the missing access control of Redis, unless that is allowed', async () => {
    const open = await startRedis();
    try {
      const { state, cause, remedy, code } = await lockTold({ on: open, password: null });
      expect({ state, cause, code }).toEqual({
        state: 'inactive',
        cause: 'access-control',
        code: 1,
      });
      expect(remedy).toContain('requirepass');
      const cli = await cliWithFile(open, { password: null });
      opened.push(cli);
      cli.env['LOCKSCOPE_ALLOW_INSECURE_REDIS'] = '1';
      expect((await cli.run([status], 'status', '--module=lock')).out).toMatch(/^lock: active/);
    } finally {
      await open.stop();
    }
  });

  it('names a Redis that does not answer', async () => {
    const told = await lockTold({ on: { port: await freePort() } });
    expect(told).toMatchObject({ state: 'inactive', cause: 'connection', code: 1 });
    expect(told.message).toContain('ECONNREFUSED');
  });

  it('names refused credentials', async () => {
    const told = await lockTold({ password: 'wrong' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'connection' });
    expect(told.message).toContain('credentials');
    expect(told.remedy).toContain('Correct redis-lock-provider.redis_password');
  });

  it('says that a password is missing where none was given', async () => {
    const told = await lockTold({ password: null });
    expect(told).toMatchObject({ state: 'inactive', cause: 'connection' });
    expect(told.message).toMatch(/ asks for a password, and none was given\.$/);
    expect(told.remedy).toContain('redis_password');
  });

  it('asks for another db number where the server has none of it', async () => {
    const told = await lockTold({ db: '/1000' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'connection' });
    expect(told.remedy).toContain('name a db that this server has');
  });

  it('names each permission that the user lacks, with the rule that gives it', async () => {
    await giveUser('half', aclRule({ user: 'half', password: 'h' }));
    await redis.client().call('ACL', ['SETUSER', 'half', '-hset', '-xadd']);
    const told = await lockTold({ user: 'half', password: 'h' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'permissions' });
    expect(told.remedy).toBe('ACL SETUSER half +hset +xadd');
    await redis.client().call('ACL', (told.remedy ?? '').split(' ').slice(1));
    expect((await lockTold({ user: 'half', password: 'h' })).state).toBe('active');
  });

  it('gives the whole rule to a user who may not run scripts', async () => {
    await redis.client().call('ACL', ['SETUSER', 'bare', 'on', '>b', '+ping', '+select', '+info']);
    const told = await lockTold({ user: 'bare', password: 'b' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'permissions' });
    await giveUser('bare', told.remedy ?? '');
    expect((await lockTold({ user: 'bare', password: 'b' })).state).toBe('active');
  });

  it('names another db that holds locks of the same prefix', async () => {
    await redis.client({ db: 5 }).hset('qoder:lock:order_sync:7', 'a:1', '1');
    const told = await lockTold();
    expect(told).toMatchObject({ state: 'inactive', cause: 'db-mismatch', code: 1 });
    expect(told.message).toContain('db 5 holds qoder:lock:order_sync:7');
    expect(told.remedy).toContain(`redis://127.0.0.1:${redis.port}/2`);
  });

  it('names a provider that is disabled', async () => {
    const told = await lockTold({ more: 'enabled: false' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'disabled', code: 1 });
  });

  it('names a setting that cannot be used', async () => {
    const told = await lockTold({ more: 'lock_timeout: 5' });
    expect(told).toMatchObject({ state: 'inactive', cause: 'settings', code: 1 });
    expect(told.message).toContain('did you mean lock_timeout_ms?');
  });

  it('names a Redis that takes no writes', async () => {
    const client = redis.client();
    await client.config('SET', 'min-replicas-to-write', '1');
    try {
      const told = await lockTold();
      expect(told).toMatchObject({ state: 'inactive', code: 1 });
      expect(told.message).toContain('NOREPLICAS');
    } finally {
      await client.config('SET', 'min-replicas-to-write', '0');
    }
  });

  it('names a Redis that a script keeps busy', async () => {
    const client = redis.client();
    await client.config('SET', 'busy-reply-threshold', '20');
    const looping = redis.client().eval('while true do end', 0).catch(String);
    try {
      await until('it is busy', async () => (await client.ping().catch(String)).includes('BUSY'));
      const told = await lockTold();
      expect(told).toMatchObject({ state: 'inactive', cause: 'connection', code: 1 });
      expect(told.message).toContain('BUSY');
    } finally {
      await client.script('KILL');
      expect(await looping).toContain('killed');
    }
  });

  it('names a Redis that takes the connection and says nothing', async () => {
    const paused = await startRedis({ password: PASSWORD });
    process.kill(paused.pid, 'SIGSTOP');
    try {
      const told = await lockTold({ on: paused });
      expect(told).toMatchObject({ state: 'inactive', cause: 'connection', code: 1 });
      expect(told.message).toContain('no answer within');
    } finally {
      await paused.stop();
    }
  });

  it('refuses a module that there is not, as usage', async () => {
    const { code, err } = await ask({}, '--module=locks');
    expect(code).toBe(2);
    expect(err).toContain('redis, lock, console');
  });
});

describe('status', () => {
  it('tells of Redis, the lock and the console', async () => {
    const { code, out } = await ask();
    expect(out).toMatch(/^redis: reachable\n.*db 2.*\nlock: active\n.*\nconsole: not running\n/);
    expect(code).toBe(0);
  });

  it('finds the console that runs, and does not take another server for it', async () => {
    let answer = { status: 'ok' };
    const server = createServer((_, response) => response.end(JSON.stringify(answer)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const cli = await cliWithFile(redis);
    opened.push(cli);
    cli.env['LOCKSCOPE_PORT'] = `${(server.address() as AddressInfo).port}`;
    const consoleTold = async (): Promise<string> =>
      (await cli.run([status], 'status', '--module=console')).out;
    try {
      expect(await consoleTold()).toMatch(/^console: running\n/);
      answer = { status: 'other' };
      expect(await consoleTold()).toMatch(/^console: not running\n.*[Ss]omething else/);
    } finally {
      server.close();
    }
  });

  it('ends with 1 while Redis is unreachable', async () => {
    const { code, out } = await ask({ on: { port: await freePort() } });
    expect(out).toMatch(/^redis: unreachable\n/);
    expect(out).toContain('lock: inactive');
    expect(code).toBe(1);
  });
});
