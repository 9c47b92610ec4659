import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firing, seenAs } from '@/test/support/seen';
import { readSources, ROOT, withoutComments } from '@/test/support/source-tree';
import { pause } from '@/test/support/pause';
import { watchedRedis } from '@/test/support/watched-redis';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

describe('a console that sees everything that is wrong', () => {
  const at = watchedRedis({
    env: {
      LOCKSCOPE_WATCH: 'inv:*',
      LOCKSCOPE_LONG_HOLD_MS: '500',
      LOCKSCOPE_NO_EXPIRY_MS: '500',
    },
  });

  /** One of each that another tool might think it may clean up. */
  async function breakAll(): Promise<void> {
    const { client } = at;
    await client.set('lock:endless', 'worker-a');
    await client.set('lock:long', 'worker-b', 'PX', 600_000);
    await client.zadd(
      'semaphore:old',
      Date.now() - 600_000,
      '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60',
    );
    await client.set('uniquejobs:0123456789abcdef0123456789abcdef', 'job-1');
    await client.rpush('redisson_lock_queue:{inv:gone}', A, B);
    await client.zadd('redisson_lock_timeout:{inv:gone}', 1, A, Date.now() + 300_000, B);
    await client.rpush('lock-signal:left', '1', '1', '1');
    await client.set('lock:left', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 600_000);
  }

  it('changes nothing by itself: no key, no expiry, no queue', async () => {
    await breakAll();
    const keys = (await at.client.keys('*')).filter((key) => !key.startsWith('__lockscope')).sort();
    const content = () => Promise.all(keys.map((key) => at.client.dumpBuffer(key)));
    const before = await content();
    const heard: string[] = [];
    const listener = at.redis.client();
    listener.on('message', (channel: string, event: string) => heard.push(`${channel} ${event}`));
    await listener.subscribe(...keys.map((key) => `__keyspace@0__:${key}`));
    await firing(at.console, 'no-expiry', 'lock:endless');
    await firing(at.console, 'long-hold', 'lock:long');
    await firing(at.console, 'orphan-queue', 'inv:gone');
    await firing(at.console, 'signal-leak', 'lock:left');
    await seenAs(
      at.console,
      'uniquejobs:0123456789abcdef0123456789abcdef',
      ({ state }) => state === 'broken',
    );
    await pause(6_000);
    expect(heard).toEqual([]);
    expect(await content()).toEqual(before);
    expect((await at.console.query('audit')).items.map(({ action }) => action)).not.toContain(
      'lock.release',
    );
  });

  it('offers the smallest step, and nothing that empties a Redis', async () => {
    const { paths } = await at.console.get<{ paths: Record<string, unknown> }>('/openapi.json');
    expect(Object.keys(paths).join('\n')).not.toMatch(/flush|swapdb|command|exec|eval|raw/i);
    const { commands } = await seenAs(at.console, 'lock:endless', ({ hold }) => hold !== null);
    const release = commands.find(({ purpose }) => purpose === 'release')?.command ?? '';
    expect(release).toContain('lock:endless');
    expect(release).toContain('worker-a');
    expect(commands.map(({ command }) => command).join('\n')).not.toMatch(/flush/i);
  });
});

describe('no part of the console', () => {
  const sources = readSources()
    .filter(({ path }) => /^(?:server|lib|app|components)\//.test(path))
    .filter(({ path }) => !/^(?:server\/demo|lib\/lock)\//.test(path));
  const withCode = (code: RegExp): string[] =>
    sources.filter(({ text }) => code.test(withoutComments(text))).map(({ path }) => path);

  it('sends a command that empties a Redis', () => {
    const sends = /\.flush(?:all|db)\(|['"`]flush(?:all|db)['"`]|redis\.call\('FLUSH/i;
    expect(withCode(sends)).toEqual([]);
  });

  it('runs a script that frees a lock but the acts of an operator', () => {
    const frees = /\brunScript\(|\bdropWaiterScript\b|\bwakeAgain\(/;
    const where = withCode(frees).filter((path) => !path.startsWith('lib/formats/'));
    expect(where.filter((path) => !/^server\/(?:actions|cli\/locks)\//.test(path))).toEqual([]);
    expect(where).toContain('server/actions/release.ts');
  });

  it('has a setting by which locks are released without an operator', () => {
    const files = ['.env.example', 'config/lock.yaml', 'server/config-file.ts'];
    const settings = files.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
    expect(settings).not.toMatch(/auto.?(?:release|unlock|free|delete|clean)|reap|sweep_/i);
  });
});

describe('the interface for programs', () => {
  const at = watchedRedis();

  it('documents the release, with what guards it', async () => {
    const document = await at.console.get<{
      paths: Record<string, Record<string, Operation>>;
    }>('/openapi.json');
    const entry = Object.entries(document.paths).find(([path]) => path.endsWith('/release'));
    expect(entry?.[0]).toMatch(/\/locks\/\{target\}\/\{db\}\/\{keyB64\}\/release$/);
    const post = entry?.[1]['post'];
    expect(Object.keys(entry?.[1] ?? {})).toEqual(['post']);
    const { required = [] } = post?.requestBody.content['application/json'].schema ?? {};
    expect(required).toEqual(expect.arrayContaining(['version', 'reason']));
    expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['200', 'default']));
  });

  it('keeps to them for a program as for a person', async () => {
    await at.client.set('lock:job', 'A', 'PX', 60_000);
    const { hold } = await at.console.heldBy('lock:job', 'A');
    const reason = 'unlock task of the team';
    expect((await at.console.release('lock:job', { reason })).status).toBe(422);
    expect((await at.console.release('lock:job', { version: hold?.version })).status).toBe(422);
    const stale = await at.console.release('lock:job', { version: '0.none', reason });
    expect(stale.status).toBe(409);
    expect(await at.client.get('lock:job')).toBe('A');
    expect((await at.console.release('lock:job', { version: hold?.version, reason })).status).toBe(
      200,
    );
    const { items } = await at.console.query('audit', { key: 'lock:job' });
    expect(items.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['done', 'refused', 'requested']),
    );
  });
});

interface Operation {
  requestBody: { content: { 'application/json': { schema: { required?: string[] } } } };
  responses: Record<string, unknown>;
}
