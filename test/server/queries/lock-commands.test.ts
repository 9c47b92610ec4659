import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adviceKey } from '@/lib/lock/names';
import { printable } from '@/lib/protocol/bytes';
import { publishLine } from '@/server/queries/advice-published';
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

const inDb = (db: number) => ({ url: redis.url, db });

/** Pastes the line into bash. */
async function paste(line: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', line], { encoding: 'latin1' });
  return stdout;
}

describe('redis-cli commands', () => {
  for (const [name, key] of Object.entries(HOSTILE)) {
    it(`reach exactly the key they name: ${name}`, async () => {
      const client = redis.client();
      await client.flushall();
      await client.set(Buffer.from(key, 'latin1'), 'held');
      expect(await paste(redisCli(inDb(0), ['GET', key]))).toBe('held\n');
    });

    it(`publish a lease for exactly the namespace and class they name: ${name}`, async () => {
      const client = redis.client();
      await client.flushall();
      // An argument of a process is bytes; a namespace is the text that is shown of it.
      const hash = adviceKey(printable(key));
      const place = { db: 0, hash, field: printable(key), leaseMs: 1834 };
      expect(await paste(publishLine(redis.url, place))).toBe('1\n');
      expect(await client.hgetBuffer(hash, Buffer.from(key, 'latin1'))).toEqual(
        Buffer.from('1834'),
      );
    });

    it(`carry scripts and values whole: ${name}`, async () => {
      const client = redis.client();
      await client.flushall();
      await client.set('lock', Buffer.from(key, 'latin1'));
      const lua = `if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn "no"`;
      expect(await paste(redisCli(inDb(0), ['EVAL', { lua }, 1, 'lock', key]))).toBe('1\n');
      expect(await client.exists('lock')).toBe(0);
    });
  }

  it('let a script be read line by line, and write a line break of a key as an escape', () => {
    const line = redisCli({ url: 'redis://:secret@[::1]:7000/3', db: 0 }, [
      'EVAL',
      { lua: "local a = 'x'\nreturn a" },
      1,
      'a\nb',
    ]);
    expect(line).toBe(
      "redis-cli -h ::1 -p 7000 -n 0 EVAL $'local a = \\'x\\'\nreturn a' 1 $'a\\nb'",
    );
  });

  it('name the db', async () => {
    await redis.client({ db: 5 }).set('k', 'five');
    expect(await paste(redisCli(inDb(5), ['GET', 'k']))).toBe('five\n');
  });
});
