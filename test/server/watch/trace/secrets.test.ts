import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runQuery } from '@/server/queries';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { clientNamed, tracesOf } from './trace-under-test';

let server: TestServer;
const traces = tracesOf(() => server);
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => traces.stopAll());

const SECRET = 'hunter2-do-not-tell';

/** Every place in which a secret could come through a command. */
async function tellSecrets(): Promise<void> {
  const client = await clientNamed(server, 'careless');
  const refused = (sent: Promise<unknown>): Promise<unknown> => sent.catch(() => undefined);
  await client.set('lock:secret', SECRET, 'PX', 60_000, 'NX');
  await client.set('lock:secret', `${SECRET}-2`, 'PX', 60_000, 'NX');
  await client.set('cache:token', SECRET);
  await client.hset('cache:secret', SECRET, SECRET);
  await client.setnx('lock:secret', SECRET);
  const script = `local s = '${SECRET}' redis.call('exists', KEYS[1]) redis.call('set', KEYS[2], ARGV[1]) return 1`;
  await client.eval(script, 2, 'lock:secret', 'other', SECRET);
  await refused(client.call('EVALSHA', SECRET, '1', 'lock:secret', SECRET));
  await refused(client.call('AUTH', 'default', SECRET));
  await refused(client.call('HELLO', '3', 'AUTH', 'default', SECRET));
  await client.call('ACL', 'SETUSER', 'planted', 'on', `>${SECRET}`, '~*');
  await client.config('SET', 'masterauth', SECRET);
  await client.call('CLIENT', 'SETNAME', 'careless-2');
  await refused(client.call('MIGRATE', '127.0.0.1', '1', 'k', '0', '1', 'AUTH', SECRET));
  await client.publish(`channel-${SECRET}`, SECRET);
  await client.subscribe(`redisson_lock__channel:{${SECRET}}`);
}

async function filesUnder(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe('secrets in commands', () => {
  it('are in no answer, no alert, no audit entry, no log and no file of the console', async () => {
    const logged = (['log', 'error', 'warn', 'info', 'debug'] as const).map((method) =>
      vi.spyOn(console, method),
    );
    const id = await traces.start();
    await tellSecrets();
    const row = await traces.lock(id, 'lock:secret', ({ failed }) => failed >= 2);
    expect(row.key).toBe('lock:secret');
    await traces.stop(id);
    const admin = server.as('admin');
    const answers = {
      trace: await traces.get(id),
      traces: await traces.list(),
      alerts: await runQuery(admin, 'alerts', {}),
      audit: await runQuery(admin, 'audit', {}),
      overview: await runQuery(admin, 'overview', {}),
      lock: (await server.lock('lock:secret')).sampled,
      waits: await runQuery(admin, 'waits', {}),
    };
    expect(JSON.stringify(answers)).toContain('lock:secret');
    expect(JSON.stringify(answers)).not.toContain('hunter2');
    expect(logged.flatMap(({ mock }) => mock.calls)).toEqual([]);
    for (const spy of logged) spy.mockRestore();
    // The token of a hold is kept with the hold, as without any trace; that of a failed attempt is not.
    const audit = JSON.stringify(await server.context.store.audit({ limit: 100 }));
    expect(audit).not.toContain('hunter2');
    expect(await filesUnder(server.context.config.dataDir)).not.toContain(`${SECRET}-2`);
  });
});
