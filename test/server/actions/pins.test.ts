import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PINS } from '@/lib/protocol/closed-sets';
import type { Discovery, LibrariesPage, Pin } from '@/lib/protocol/libraries';
import { isCodedError } from '@/lib/protocol/errors';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import { startServer, TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const reason = 'it is ours';
const pin = (pattern: string, format: string, role: 'viewer' | 'operator' = 'operator') =>
  runAction(server.as(role), 'format.pin', { target: TARGET, pattern, format, reason });
const unpin = (pattern: string) =>
  runAction(server.as('operator'), 'format.unpin', { target: TARGET, pattern, reason });
const codeOf = async (act: Promise<unknown>): Promise<string | null> => {
  try {
    await act;
    return null;
  } catch (error) {
    return isCodedError(error) ? error.code : String(error);
  }
};
/** Typed for any query. */
const pinsNow = async (): Promise<Pin[]> =>
  (await runQuery(server.as('viewer'), 'pins', {})) as Pin[];
const librariesNow = async (): Promise<LibrariesPage> =>
  (await runQuery(server.as('viewer'), 'libraries', {})) as LibrariesPage;

describe('a pin', () => {
  it('makes locks of keys that nobody watched, of the library it says, and is audited', async () => {
    const { client } = server;
    await client.set('cold:1', 'whatever', 'PX', 60_000);
    expect(await pin('cold:*', 'redis-py')).toMatchObject({
      outcome: 'pinned',
      replaced: null,
      pin: { pattern: 'cold:*', format: 'redis-py', actor: 'operator@example.org', reason },
    });
    const lock = await server.lock('cold:1');
    expect(lock).toMatchObject({ format: 'redis-py', formatCertain: true });
    expect(lock.library.why).toMatch(/pinned/);
    await client.set('cold:2', 'later', 'PX', 60_000);
    await server.lock('cold:2');
    expect(await server.context.store.pins(TARGET)).toMatchObject([{ pattern: 'cold:*' }]);
    const { items } = await server.context.store.audit({ limit: 2 });
    expect(items).toMatchObject([
      { action: 'format.pin', outcome: 'done', after: { pattern: 'cold:*', format: 'redis-py' } },
      { outcome: 'requested', before: { pattern: 'cold:*', format: null }, reason },
    ]);
    const { pins, libraries } = await librariesNow();
    expect(pins).toMatchObject([{ pattern: 'cold:*', locks: 2 }]);
    expect(libraries.find(({ id }) => id === 'redis-py')).toMatchObject({ locks: 2, held: 2 });
    expect(await unpin('cold:*')).toMatchObject({ outcome: 'unpinned' });
    expect(await pinsNow()).toEqual([]);
    expect(await server.context.store.pins(TARGET)).toEqual([]);
  });

  it('settles locks of which two libraries fit, at once, and takes the place of the one before', async () => {
    const { client } = server;
    const value = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';
    await client.set('inv:7', value, 'PX', 60_000);
    await server.lock('inv:7');
    await pin('inv:*', 'redlock-rb');
    await server.lock('inv:7', ({ format }) => format === 'redlock-rb');
    expect(await pin('inv:*', 'redis-py')).toMatchObject({ replaced: 'redlock-rb' });
    const lock = await server.lock('inv:7', ({ format }) => format === 'redis-py');
    expect(lock.hold?.owner.id).toBe(value);
    await unpin('inv:*');
    await server.lock('inv:7', ({ format }) => format !== 'redis-py');
    expect(await codeOf(unpin('inv:*'))).toBe('NOT_FOUND');
  });

  it('takes any bytes, in printable form', async () => {
    const key = Buffer.from('caf\xff\x00é:1', 'latin1');
    await pin('caf\\xff\\x00*', 'redlock');
    await server.client.set(key, 'token', 'PX', 60_000);
    await server.lock(key.toString('latin1'));
    expect(await pinsNow()).toMatchObject([{ pattern: 'caf\\xff\\x00*' }]);
    await unpin('caf\\xff\\x00*');
  });

  it.each([
    ['INVALID_INPUT', '*', 'redlock'],
    ['INVALID_INPUT', '?*a*?', 'redlock'],
    ['INVALID_INPUT', '[ab]*[cd]', 'redlock'],
    ['INVALID_INPUT', '', 'redlock'],
    ['INVALID_INPUT', 'order:*', 'no-such-library'],
  ])('is refused with %s for %j and %s', async (code, pattern, format) => {
    expect(await codeOf(pin(pattern, format))).toBe(code);
    expect(await pinsNow()).toEqual([]);
  });

  it('needs an operator of all namespaces, a reason, and the target that there is', async () => {
    expect(await codeOf(pin('order:*', 'redlock', 'viewer'))).toBe('FORBIDDEN');
    const input = { target: TARGET, pattern: 'order:*', format: 'redlock', reason };
    const limited = server.as('operator', { namespaces: ['order'] });
    expect(await codeOf(runAction(limited, 'format.pin', input))).toBe('FORBIDDEN');
    expect(await codeOf(runAction(limited, 'format.unpin', input))).toBe('FORBIDDEN');
    const operator = server.as('operator');
    const silent = { ...input, reason: ' ' };
    expect(await codeOf(runAction(operator, 'format.pin', silent))).toBe('INVALID_INPUT');
    const elsewhere = { ...input, target: 'other' };
    expect(await codeOf(runAction(operator, 'format.pin', elsewhere))).toBe('NOT_FOUND');
    expect(await pinsNow()).toEqual([]);
  });

  it('is one of a hundred at most', async () => {
    const { pins } = server.context.formats;
    const many = Array.from({ length: MAX_PINS }, (_, i) => `many-${i}:*`);
    for (const pattern of many) {
      pins.set({ pattern, format: 'redlock', createdAt: 1, actor: 'somebody', reason });
    }
    expect(await codeOf(pin('one-more:*', 'redlock'))).toBe('TOO_MANY');
    expect(await codeOf(pin('many-0:*', 'redis-py'))).toBeNull();
    for (const pattern of many) pins.remove(pattern);
  });
});

describe('looking for locks', () => {
  it('is begun and stopped by operators of all namespaces, audited', async () => {
    await server.client.set('job/17', 'ADDED:2026-11-30T06:00:00.123Z@h:0b7e', 'PX', 60_000);
    const input = { target: TARGET };
    const limited = server.as('operator', { namespaces: ['order'] });
    expect(await codeOf(runAction(limited, 'format.discover', input))).toBe('FORBIDDEN');
    expect(await codeOf(runAction(server.as('viewer'), 'format.discover', input))).toBe(
      'FORBIDDEN',
    );
    for (const wrong of [
      { seconds: 121 },
      { seconds: 0 },
      { maxKeys: 1 },
      { db: -1 },
      { db: 99 },
    ]) {
      const act = runAction(server.as('operator'), 'format.discover', { ...input, ...wrong });
      expect(await codeOf(act)).toBe('INVALID_INPUT');
    }
    const { id } = (await runAction(server.as('operator'), 'format.discover', input)) as {
      id: string;
    };
    const found = await until('it has ended', async () => {
      const run = (await runQuery(server.as('viewer'), 'discovery', { id })) as Discovery;
      return run.state === 'running' ? null : run;
    });
    expect(found).toMatchObject({ state: 'done', dbs: [0], maxKeys: 200_000, seconds: 20 });
    expect(found.proposals.find(({ pattern }) => pattern === 'job/*')).toMatchObject({
      sure: 'certain',
      formats: [{ id: 'shedlock', name: 'ShedLock', certainty: 'certain' }],
      examples: ['job/17'],
    });
    expect((await librariesNow()).discoveries).toMatchObject([{ id, state: 'done' }]);
    const stop = (role: 'viewer' | 'operator', which: string) =>
      runAction(server.as(role), 'format.discover-stop', { id: which });
    expect(await codeOf(stop('viewer', id))).toBe('FORBIDDEN');
    expect(await codeOf(stop('operator', 'none'))).toBe('NOT_FOUND');
    expect(await stop('operator', id)).toMatchObject({ id, state: 'done' });
    const { items } = await server.context.store.audit({ limit: 100 });
    expect(items.filter(({ action }) => action === 'format.discover')).toContainEqual(
      expect.objectContaining({ outcome: 'done', after: expect.objectContaining({ id }) }),
    );
  });
});
