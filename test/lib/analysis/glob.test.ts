import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGlob, escapeGlob, globHead, longestLiteral } from '@/lib/analysis/glob';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.stop();
});

const NAMES = [
  '',
  'a',
  'abab',
  'aab',
  'lock:1',
  'lock:[x]',
  'lock:*',
  'lock:\\',
  'l\xffck',
  'a\r\nb',
  'a-b',
  'b',
  '^',
  ']',
];
const PATTERNS = [
  '*',
  '?',
  'lock:*',
  'lock:[[]x]',
  'lock:\\*',
  'lock:\\\\',
  'l?ck',
  'a*b',
  'a[-x]b',
  '[a-c]',
  '[c-a]',
  '[^a]',
  '[\\^]',
  '[]]',
  '[',
  '[]',
  'a-b',
  '**b',
  'a*a*b',
  '*b*a*',
  '*[a-b]?b',
  'ab*ab',
  'aba*bab',
  '?*?*?',
  '[^]',
  '\\]',
  'l[\xf0-\xff]ck',
];

describe('a glob', () => {
  it('matches exactly what Redis matches', async () => {
    const redis = server.client();
    for (const name of NAMES) await redis.set(Buffer.from(name, 'latin1'), '1');
    for (const pattern of PATTERNS) {
      const matches = compileGlob(pattern);
      const found: string[] = [];
      for (const name of NAMES) {
        const reply = await redis.callBuffer('SCAN', [
          '0',
          'MATCH',
          Buffer.from(pattern, 'latin1'),
          'COUNT',
          1000,
        ]);
        const keys = Array.isArray(reply) && Array.isArray(reply[1]) ? reply[1] : [];
        if (keys.some((key) => key.toString('latin1') === name)) found.push(name);
      }
      expect(NAMES.filter(matches), pattern).toEqual(found);
    }
  });

  it('is escaped so that it matches itself only', () => {
    for (const name of NAMES) expect(NAMES.filter(compileGlob(escapeGlob(name)))).toEqual([name]);
  });

  it('has a literal head', () => {
    expect(globHead('lock:\\*x*')).toEqual({ head: 'lock:*x', isLiteral: false });
    expect(globHead('mylock')).toEqual({ head: 'mylock', isLiteral: true });
  });

  it('takes no longer for many stars', () => {
    const matches = compileGlob(`${'*a'.repeat(50)}*[cd]*b`);
    expect(matches(`${'a'.repeat(100_000)}b`)).toBe(false);
    expect(matches(`${'a'.repeat(100_000)}db`)).toBe(true);
  });

  it('has a longest literal', () => {
    expect(longestLiteral('*')).toBe('');
    expect(longestLiteral('a*?[b]c*')).toBe('a');
    expect(longestLiteral('a*\\*:lock?x')).toBe('*:lock');
  });
});
