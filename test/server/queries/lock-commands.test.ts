import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisCli } from '@/server/queries/lock-commands';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const run = promisify(execFile);

const HOSTILE: Record<string, string> = {
  plain: 'order_sync:1042',
  'single quotes': "it's 'quoted'",
  'a command': '"; $(touch /tmp/owned) `id` & rm -rf ~ #',
  'line breaks': 'a\r\nDEL b\n',
  'history expansion': 'really!! !x',
  'a backslash': 'a\\n\\x41',
  HTML: '<img src=x onerror=alert(1)>',
  'bytes that are no text': '\xff\xfe\x80k\x01',
  'a NUL byte': 'a\0b"c\\d\ne',
  'a here-document’s end': 'x\nEND\ny\0',
  'a leading dash': '-n',
  empty: '',
};

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Pastes the line into bash, with redis-cli pointed at the test's server. */
async function paste(line: string): Promise<string> {
  const script = `redis-cli() { command redis-cli -p ${redis.port} "$@"; }\n${line}`;
  const { stdout } = await run('bash', ['-c', script], { encoding: 'latin1' });
  return stdout;
}

describe('redis-cli commands', () => {
  for (const [name, key] of Object.entries(HOSTILE)) {
    it(`reach exactly the key they name: ${name}`, async () => {
      const client = redis.client();
      await client.flushall();
      await client.set(Buffer.from(key, 'latin1'), 'held');
      expect(await paste(redisCli(0, ['GET', key]))).toBe('held\n');
    });

    it(`carry scripts and values whole: ${name}`, async () => {
      const client = redis.client();
      await client.flushall();
      await client.set('lock', Buffer.from(key, 'latin1'));
      const lua = `if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn "no"`;
      expect(await paste(redisCli(0, ['EVAL', { lua }, 1, 'lock', key]))).toBe('1\n');
      expect(await client.exists('lock')).toBe(0);
    });
  }

  it('let a script be read line by line, and write a line break of a key as an escape', () => {
    const line = redisCli(0, ['EVAL', { lua: "local a = 'x'\nreturn a" }, 1, 'a\nb']);
    expect(line).toBe("redis-cli -n 0 EVAL $'local a = \\'x\\'\nreturn a' 1 $'a\\nb'");
  });

  it('name the db', async () => {
    await redis.client({ db: 5 }).set('k', 'five');
    expect(await paste(redisCli(5, ['GET', 'k']))).toBe('five\n');
  });
});
