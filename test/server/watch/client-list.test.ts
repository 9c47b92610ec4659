import { describe, expect, it } from 'vitest';
import { readClientList } from '@/server/watch/client-list';

const row = (fields: Record<string, string | number>): string =>
  `id=3 ${Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')} user=default resp=2`;

describe('the list of clients', () => {
  it('counts who is blocked in each command, and for how long the longest has been', () => {
    const { blocked } = readClientList(
      [
        row({ addr: '10.0.0.1:5', name: '', age: 90, idle: 7, flags: 'b', psub: 0, cmd: 'blpop' }),
        row({ addr: '10.0.0.2:5', name: '', age: 9, idle: 2, flags: 'b', psub: 0, cmd: 'blpop' }),
        row({ addr: '10.0.0.2:6', name: '', age: 9, idle: 1, flags: 'N', psub: 0, cmd: 'blpop' }),
        row({ addr: '10.0.0.3:5', name: 'w', age: 9, idle: 3, flags: 'bx', psub: 0, cmd: 'xread' }),
      ].join('\n'),
    );
    expect([...blocked]).toEqual([
      ['blpop', { count: 2, longestMs: 7000 }],
      ['xread', { count: 1, longestMs: 3000 }],
    ]);
  });

  it('knows names and addresses of either kind, each once, and takes no value for another field', () => {
    const seen = readClientList(
      [
        row({
          addr: '10.0.0.1:5',
          laddr: '10.9.9.9:6379',
          name: 'flags=b',
          flags: 'N',
          cmd: 'get',
        }),
        row({
          addr: '[2001:db8::7]:5',
          laddr: '[::1]:6379',
          name: 'web-1',
          flags: 'N',
          cmd: 'get',
        }),
        row({ addr: '/run/redis.sock:0', name: 'web-1', flags: 'U', cmd: 'get' }),
      ].join('\n'),
    );
    expect(seen.names).toEqual(['flags=b', 'web-1']);
    expect([...seen.addresses]).toEqual(['10.0.0.1', '2001:db8::7', '/run/redis.sock']);
    expect(seen.blocked.size).toBe(0);
    expect(seen.clients).toBe(3);
  });

  it('counts who listens to a pattern, but no console', () => {
    const { patternListeners } = readClientList(
      [
        row({ addr: '10.0.0.1:5', name: '', flags: 'P', psub: 1, cmd: 'psubscribe' }),
        row({ addr: '10.0.0.1:6', name: 'lockscope', flags: 'P', psub: 4, cmd: 'psubscribe' }),
        row({ addr: '10.0.0.1:7', name: '', flags: 'P', sub: 3, psub: 0, cmd: 'subscribe' }),
      ].join('\n'),
    );
    expect(patternListeners).toBe(1);
  });

  it('is nothing where Redis told nothing', () => {
    expect(readClientList('')).toMatchObject({ clients: 0, names: [], patternListeners: 0 });
  });
});
