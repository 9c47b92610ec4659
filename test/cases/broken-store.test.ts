import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const OPERATOR = { email: 'operator@example.org', password: 'password-1234' };

interface Readiness {
  ready: boolean;
  reasons: string[];
}

let redis: TestRedis | undefined;
let running: TestConsole | undefined;
afterEach(async () => {
  await running?.stop();
  await redis?.stop();
});

/** A console with an operator, and a lock that it sees held. */
async function start(env: Record<string, string> = {}): Promise<TestConsole> {
  redis = await startRedis();
  running = await startConsole({ redisUrl: redis.url, env });
  const body = { ...OPERATOR, name: 'Operator', role: 'operator' };
  await running.request('POST', '/api/v1/users', { body });
  await redis.client().set('lock:a', 'A', 'PX', 600_000);
  await running.heldBy('lock:a', 'A');
  return running;
}

const signIn = (at: TestConsole): Promise<Response> =>
  fetch(`${at.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: at.url },
    body: JSON.stringify(OPERATOR),
  });

async function cookieOf(at: TestConsole): Promise<string> {
  const cookies = (await signIn(at)).headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

const notReady = (at: TestConsole): Promise<string> =>
  until('not ready', async () => {
    const { body } = await at.request<Readiness>('GET', '/api/ready');
    return body.ready ? undefined : body.reasons.join(' ');
  });

const withCookie = (at: TestConsole, path: string, cookie: string) =>
  at.request<Record<string, unknown>>('GET', path, { token: null, headers: { cookie } });

async function refusedRelease(at: TestConsole): Promise<void> {
  const detail = await at.detail('lock:a');
  const version = detail?.hold?.version ?? '1:A';
  const answer = await at.release('lock:a', { version, reason: 'store is gone' });
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'AUDIT_UNAVAILABLE' } } });
  expect(JSON.stringify(answer.body)).toContain(at.dataDir);
  expect(await redis?.client().get('lock:a')).toBe('A');
}

describe('a console whose data folder is removed', () => {
  it('says so, refuses acts, goes on showing, and ends as usual', async () => {
    const at = await start();
    const cookie = await cookieOf(at);
    await rm(at.dataDir, { recursive: true });
    const reasons = await notReady(at);
    expect(reasons).toContain(at.dataDir);
    expect(reasons).toContain('restart');
    await refusedRelease(at);
    await until('the alert', async () => (await at.alerts('store-broken'))[0]);
    expect((await withCookie(at, '/api/v1/overview', cookie)).status).toBe(200);
    expect(await (await signIn(at)).json()).toMatchObject({
      error: { code: 'STORE_UNAVAILABLE', message: expect.stringContaining(at.dataDir) },
    });
    expect(existsSync(at.dataDir)).toBe(false);
    // A console that does not end by itself within its own time ends with 1.
    expect((await at.terminate()).code).toBe(0);
    expect(at.output()).not.toContain('rollback');
  });
});

describe('a console whose database is overwritten', () => {
  it('answers whoever cannot be identified with the sentence of the store', async () => {
    const at = await start();
    const cookie = await cookieOf(at);
    const file = join(at.dataDir, 'lockscope.db');
    const garbage = Buffer.alloc((await stat(file)).size, 0x5a);
    const handle = await open(file, 'r+');
    await handle.write(garbage, 0, garbage.length, 0);
    await handle.close();
    await writeFile(`${file}-wal`, Buffer.alloc(100_000, 0x41));
    expect(await notReady(at)).toContain(file);
    await refusedRelease(at);
    for (const path of ['/api/v1/alerts?state=open', '/api/v1/session']) {
      const answer = await withCookie(at, path, cookie);
      if (answer.status === 200) continue;
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'STORE_UNAVAILABLE' } } });
    }
    const page = await at.request<string>('GET', '/locks', { token: null, headers: { cookie } });
    if (page.status !== 200)
      expect(page).toMatchObject({ status: 503, body: expect.stringContaining(file) });
    const users = await at.request('GET', '/api/v1/users');
    if (users.status !== 200) expect(users).toMatchObject({ status: 503 });
    expect((await signIn(at)).status).toBe(503);
    expect((await at.terminate()).code).toBe(0);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a console whose disk is full', () => {
  it('tells who signs in why not, and lets sessions go on reading', async () => {
    const dataDir = execFileSync('mktemp', ['-d']).toString().trim();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', dataDir]);
    try {
      const at = await start({ LOCKSCOPE_DATA_DIR: dataDir });
      const cookie = await cookieOf(at);
      const filler = join(dataDir, 'filler');
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${filler} bs=4k 2>/dev/null; true`]);
      const answer = await until('the disk is full', async () => {
        const tried = await signIn(at);
        return tried.ok ? undefined : tried;
      });
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        error: { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('is full') },
      });
      expect((await withCookie(at, '/api/v1/locks', cookie)).status).toBe(200);
      await rm(filler);
      await until('signs in again', async () => (await signIn(at)).ok);
      await at.terminate();
    } finally {
      execFileSync('umount', ['-l', dataDir]);
    }
  });
});
