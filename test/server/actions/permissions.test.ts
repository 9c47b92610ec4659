import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '@/server/actions/run-action';
import { addressOf, startServer, type TestServer } from '@/test/server/queries/server-under-test';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    acl: ['~*', '&*', '+@all', '-eval', '-evalsha', '-eval_ro', '-evalsha_ro'],
  });
});
afterAll(() => server.stop());

describe('a release where Redis forbids scripts', () => {
  it('is refused with the rule that would allow it, and shown as not possible before', async () => {
    await server.client.set('lock:a', 'tok', 'PX', 60_000);
    const lock = await server.lock('lock:a');
    expect(lock.canRelease).toBe(false);
    expect(lock.cannotReleaseBecause).toMatch(/\+eval/);
    const input = { ...addressOf('lock:a'), version: lock.hold?.version, reason: 'crashed' };
    const refused = runAction(server.as('operator'), 'lock.release', input);
    await expect(refused).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      details: { capability: 'eval', rule: expect.stringMatching(/\+eval/) },
    });
    expect(await server.client.get('lock:a')).toBe('tok');
    const { items } = await server.context.store.audit({ limit: 1 });
    expect(items).toMatchObject([{ outcome: 'refused', code: 'CAPABILITY_MISSING' }]);
  });

  it('is refused in the same way when the permission went away after the page was drawn', async () => {
    await server.client.set('lock:b', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:b');
    const context = server.as('operator');
    const { watch } = context;
    const status = () => {
      const now = watch.status();
      return { ...now, capabilities: { ...now.capabilities, eval: true } };
    };
    const believing = { ...context, watch: { ...watch, status } };
    const input = { ...addressOf('lock:b'), version: hold?.version, reason: 'crashed' };
    await expect(runAction(believing, 'lock.release', input)).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
    });
    await server.client.del('lock:b');
    const ended = await server.lock('lock:b', ({ state }) => state === 'free');
    expect(ended.lastEnd?.reason).toBe('released');
  });
});

describe("a release with an operator's rules of the README", () => {
  let ruled: TestServer;
  let rules: RegExpExecArray[] = [];
  beforeAll(async () => {
    const readme = await readFile('README.md', 'utf8');
    rules = [...readme.matchAll(/ACL SETUSER lockscope (?:on >secret )?(.*(?:\n {9}\S.*)*)/g)];
    ruled = await startServer({ acl: rules.flatMap(([, rule = '']) => rule.split(/\s+/)) });
  });
  afterAll(() => ruled.stop());

  it('wakes, and leaves no refusal in the log of Redis', async () => {
    expect(rules).toHaveLength(2);
    const owner = 'b983c153-7421-469a-addb-44fb92259a1b:1';
    const listener = ruled.redis.client();
    await listener.subscribe('redisson_lock__channel:{inv:1}');
    await ruled.client.hset('inv:1', owner, 1);
    const { hold } = await ruled.lock('inv:1');
    await ruled.client.call('ACL', 'LOG', 'RESET');
    const input = { ...addressOf('inv:1'), version: hold?.version, reason: 'crashed' };
    const released = await runAction(ruled.as('operator'), 'lock.release', input);
    expect(released).toMatchObject({ outcome: 'released', wokeWaiters: 1 });
    expect(await ruled.client.call('ACL', 'LOG')).toEqual([]);
  });
});

describe('a release where Redis forbids the wake-up', () => {
  let muted: TestServer;
  beforeAll(async () => {
    muted = await startServer({ acl: ['~*', '&*', '+@all', '-publish'] });
  });
  afterAll(() => muted.stop());

  it('changes nothing and names the rule', async () => {
    const owner = 'b983c153-7421-469a-addb-44fb92259a1b:1';
    await muted.client.hset('inv:1', owner, 1);
    const { hold } = await muted.lock('inv:1');
    const input = { ...addressOf('inv:1'), version: hold?.version, reason: 'crashed' };
    await expect(runAction(muted.as('operator'), 'lock.release', input)).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      details: { rule: expect.stringContaining('+publish') },
    });
    expect(await muted.client.hgetall('inv:1')).toEqual({ [owner]: '1' });
  });
});
