import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runConsole, startConsole } from '@/test/support/console';
import { freePort } from '@/test/support/free-port';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/** What was printed, without empty lines and without what a start says before it fails. */
const sentences = (output: string): string[] => output.split('\n').filter((line) => line.trim());

describe('a start that cannot work', () => {
  it.each([
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: '' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'http://localhost' }],
    ['LOCKSCOPE_PORT', { LOCKSCOPE_PORT: 'eighty' }],
    ['LOCKSCOPE_DBS', { LOCKSCOPE_DBS: '0,x' }],
    ['LOCKSCOPE_ADMIN_TOKEN', { LOCKSCOPE_ADMIN_TOKEN: 'short' }],
    ['LOCKSCOPE_LONG_HOLD_MS', { LOCKSCOPE_LONG_HOLD_MS: '-1' }],
  ])('ends with code 2 and one sentence that names %s (%j)', async (name, env) => {
    const { code, output } = await runConsole({ redisUrl: 'redis://127.0.0.1:1/0', env });
    expect(code).toBe(2);
    expect(sentences(output)).toHaveLength(1);
    expect(output).toContain(name);
  });

  it.each([
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://127.0.0.1:1/0' }],
    ['LOCKSCOPE_REDIS_URL', { LOCKSCOPE_REDIS_URL: 'redis://no-such-host.invalid:6379/0' }],
    ['LOCKSCOPE_DATABASE_URL', { LOCKSCOPE_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }],
  ])('names %s when nothing answers there (%j)', async (name, env) => {
    const { code, output } = await runConsole({ redisUrl: 'redis://127.0.0.1:1/0', env });
    expect({ code, lines: sentences(output).length }, output).toEqual({ code: 2, lines: 1 });
    expect(output).toContain(name);
    expect(output).not.toContain('secret');
  });

  it('says that another console has the data folder, and leaves it to that', async () => {
    const redis = await startRedis();
    const first = await startConsole({ redisUrl: redis.url });
    try {
      const env = { LOCKSCOPE_DATA_DIR: first.dataDir };
      const { code, output } = await runConsole({ redisUrl: redis.url, env });
      expect({ code, lines: sentences(output).length }, output).toEqual({ code: 2, lines: 1 });
      expect(output).toMatch(/LOCKSCOPE_DATA_DIR.*[Aa]nother console/);
    } finally {
      await first.stop();
      await redis.stop();
    }
  });

  it('does not wait for ever for a server that takes the connection and says nothing', async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const { code, output } = await runConsole({ redisUrl: `redis://127.0.0.1:${port}/0` });
      expect({ code, output }).toMatchObject({ code: 2 });
      expect(output).toMatch(/LOCKSCOPE_REDIS_URL.*no answer/);
    } finally {
      silent.close();
    }
  });

  it('says how to trust a certificate that nobody signed, and trusts it then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockscope-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', cert, '-days', '2'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject],
      {
        stdio: 'ignore',
      },
    );
    const tlsPort = await freePort();
    const tls = ['--tls-port', `${tlsPort}`, '--tls-cert-file', cert, '--tls-key-file', key];
    const redis = await startRedis({ args: [...tls, '--tls-auth-clients', 'no'] });
    const redisUrl = `rediss://127.0.0.1:${tlsPort}/0`;
    try {
      const { code, output } = await runConsole({ redisUrl });
      expect({ code, lines: sentences(output).length }, output).toEqual({ code: 2, lines: 1 });
      expect(output).toMatch(/LOCKSCOPE_REDIS_URL.*NODE_EXTRA_CA_CERTS/);
      const console = await startConsole({ redisUrl, env: { NODE_EXTRA_CA_CERTS: cert } });
      await console.stop();
    } finally {
      await redis.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('names the setting that asks for a database the server does not have', async () => {
    const redis = await startRedis();
    try {
      const watched = await runConsole({ redisUrl: redis.url, env: { LOCKSCOPE_DBS: '0,99' } });
      expect(watched).toMatchObject({ code: 2, output: expect.stringContaining('LOCKSCOPE_DBS') });
      const own = await runConsole({ redisUrl: redis.url.replace('/0', '/99') });
      expect(own).toMatchObject({
        code: 2,
        output: expect.stringContaining('LOCKSCOPE_REDIS_URL'),
      });
    } finally {
      await redis.stop();
    }
  });

  it('ends with code 2 and one sentence for a wrong password, and does not print it', async () => {
    const redis = await startRedis({ password: 'right' });
    try {
      const redisUrl = `redis://:wrong-secret@127.0.0.1:${redis.port}/0`;
      const { code, output } = await runConsole({ redisUrl });
      expect(code).toBe(2);
      expect(sentences(output)).toHaveLength(1);
      expect(output).toMatch(/password|LOCKSCOPE_REDIS_URL/);
      expect(output).not.toContain('wrong-secret');
    } finally {
      await redis.stop();
    }
  });
});

describe('a start with --json', () => {
  it('prints nothing but JSON on stdout when it is asked for', async () => {
    const redis = await startRedis();
    const console = await startConsole({ redisUrl: redis.url, args: ['--json'] });
    try {
      expect(JSON.parse(console.stdout())).toMatchObject({ ready: console.url });
    } finally {
      await console.stop();
      await redis.stop();
    }
  });
});

describe('a Redis without password', () => {
  it('is watched with a standing warning', async () => {
    const redis = await startRedis();
    const console = await startConsole({
      redisUrl: redis.url,
      env: { LOCKSCOPE_ALLOW_INSECURE_REDIS: '' },
    });
    try {
      await until('the warning stands', async () =>
        (await console.query('targets'))[0]?.warnings.some(({ code }) => code === 'insecure-redis'),
      );
    } finally {
      await console.stop();
      await redis.stop();
    }
  });
});

describe('stopping and starting again', () => {
  const at = watchedRedis();

  it('continues the holds, the history and the audit', async () => {
    await at.client.set('lock:kept', 'A', 'PX', 120_000);
    await at.client.set('lock:past', 'B', 'PX', 120_000);
    const { hold: before } = await at.console.heldBy('lock:kept', 'A');
    const { hold: past } = await at.console.heldBy('lock:past', 'B');
    const body = { version: past?.version, reason: 'before the stop' };
    expect((await at.console.release('lock:past', body)).status).toBe(200);
    await until(
      'its end is known',
      async () => (await at.console.lock('lock:past'))?.state === 'free',
    );

    // A console that does not end by itself within its own time ends with 1.
    expect((await at.console.terminate()).code).toBe(0);
    await at.console.restart();

    const kept = await until('it is held', async () => {
      const found = await at.console.detail('lock:kept');
      return found?.hold ? found : undefined;
    });
    expect(kept.hold?.since).toBe(before?.since);
    expect(kept.hold?.generation).toBe(before?.generation);
    expect(kept.acquisitions).toBe(1);
    const released = await at.console.detail('lock:past');
    expect(released?.holds[0]).toMatchObject({ owner: 'B', endReason: 'force-released' });
    const audit = await at.console.query('audit', { key: 'lock:past' });
    expect(audit.items.map(({ outcome }) => outcome)).toContain('done');
    const gaps = (await at.console.query('heatmap')).gaps.map(({ reason }) => reason);
    expect(gaps).toContain('console-stopped');
  });

  it('loses nothing acknowledged when it is killed', async () => {
    await at.client.set('lock:killed', 'C', 'PX', 120_000);
    const { hold } = await at.console.heldBy('lock:killed', 'C');
    const answer = await at.console.release('lock:killed', {
      version: hold?.version,
      reason: 'then die',
    });
    expect(answer.status).toBe(200);
    await at.console.kill();
    await at.console.restart();
    const audit = await at.console.query('audit', { key: 'lock:killed' });
    expect(audit.items.map(({ outcome }) => outcome).sort()).toEqual(['done', 'requested']);
  });
});

describe('what is under way when the console ends', () => {
  const at = watchedRedis();

  it('is answered when it is asked to stop', async () => {
    await at.client.set('lock:term', 'A', 'PX', 120_000);
    const { hold } = await at.console.heldBy('lock:term', 'A');
    const answer = at.console.release('lock:term', { version: hold?.version, reason: 'then stop' });
    await until('the lock is gone', async () => (await at.client.exists('lock:term')) === 0);
    // A console that does not end by itself within its own time ends with 1.
    expect((await at.console.terminate()).code).toBe(0);
    expect(await answer).toMatchObject({ status: 200, body: { outcome: 'released' } });
    await at.console.restart();
  });

  it('is told as interrupted in the audit when it was killed', async () => {
    await at.client.set('lock:cut', 'A', 'PX', 120_000);
    const { hold } = await at.console.heldBy('lock:cut', 'A');
    process.kill(at.redis.pid, 'SIGSTOP');
    const lost = at.console
      .release('lock:cut', { version: hold?.version, reason: 'then die' })
      .catch(() => 'no answer');
    const outcomes = async (): Promise<string[]> =>
      (await at.console.query('audit', { key: 'lock:cut' })).items.map(({ outcome }) => outcome);
    await until('it is requested', async () => (await outcomes()).includes('requested'));
    await at.console.kill();
    process.kill(at.redis.pid, 'SIGCONT');
    expect(await lost).toBe('no answer');
    await at.console.restart();
    expect(await outcomes()).toEqual(['failed', 'requested']);
    const { items } = await at.console.query('audit', { key: 'lock:cut' });
    expect(items[0]).toMatchObject({ after: { outcomeKnown: false }, reason: 'then die' });
    expect(items[0]?.requestId).toBe(items[1]?.requestId);
    await at.console.terminate();
    await at.console.restart();
    expect(await outcomes()).toEqual(['failed', 'requested']);
  });
});
