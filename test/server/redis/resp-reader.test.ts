import { describe, expect, it } from 'vitest';
import { RespError, RespReader, type RespValue } from '@/server/redis/resp-reader';

type Heard = ['event', number, string, string] | ['push' | 'reply', RespValue];

function listen(): { reader: RespReader; heard: Heard[] } {
  const heard: Heard[] = [];
  const reader = new RespReader({
    onKeyspace: (db, key, event) => heard.push(['event', db, key, event]),
    onPush: (push) => heard.push(['push', push]),
    onReply: (reply) => heard.push(['reply', reply]),
  });
  return { reader, heard };
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const message = (channel: string, payload: string): string =>
  `>4\r\n${bulk('pmessage')}${bulk('__keyspace@*__:*')}${bulk(channel)}${bulk(payload)}`;

const by = (pattern: string, channel: string, payload: string): string =>
  `>4\r\n${bulk('pmessage')}${bulk(pattern)}${bulk(channel)}${bulk(payload)}`;

const binaryKey = 'lock:\x00\xff\r\n[*]$5\r\n>4\r\n';
const longKey = `lock:${'k'.repeat(5000)}`;
const stream = [
  message('__keyspace@0__:lock:a', 'set'),
  '+OK\r\n',
  message(`__keyspace@15__:${binaryKey}`, 'expire'),
  message('__keyevent@3__:del', binaryKey),
  ':-2\r\n',
  message(`__keyspace@0__:${longKey}`, 'expired'),
  '-NOPERM no\r\n',
  `*3\r\n${bulk('')}$-1\r\n*2\r\n:1\r\n${bulk(binaryKey)}`,
  `%2\r\n${bulk('a')}:1\r\n${bulk('b')}*0\r\n`,
  `~1\r\n${bulk('x')}`,
  '_\r\n#t\r\n#f\r\n,1.5\r\n,-inf\r\n(123456789012345678901\r\n*-1\r\n',
  `=7\r\ntxt:abc\r\n!8\r\nERR oops\r\n`,
  `|1\r\n${bulk('ttl')}:5\r\n${bulk('after attribute')}`,
  `>3\r\n${bulk('psubscribe')}${bulk('p')}:1\r\n`,
  `>4\r\n${bulk('pmessage')}${bulk('p')}${bulk('other')}${bulk('m')}`,
  message('__keyspace@0__:lock:end', 'a-name-longer-than-any-event-of-redis'),
].join('');

const expected: Heard[] = [
  ['event', 0, 'lock:a', 'set'],
  ['reply', 'OK'],
  ['event', 15, binaryKey, 'expire'],
  ['event', 3, binaryKey, 'del'],
  ['reply', -2],
  ['event', 0, longKey, 'expired'],
  ['reply', new RespError('NOPERM no')],
  ['reply', ['', null, [1, binaryKey]]],
  ['reply', ['a', 1, 'b', []]],
  ['reply', ['x']],
  ['reply', null],
  ['reply', 1],
  ['reply', 0],
  ['reply', 1.5],
  ['reply', -Infinity],
  ['reply', '123456789012345678901'],
  ['reply', null],
  ['reply', 'abc'],
  ['reply', new RespError('ERR oops')],
  ['reply', 'after attribute'],
  ['push', ['psubscribe', 'p', 1]],
  ['push', ['pmessage', 'p', 'other', 'm']],
  ['event', 0, 'lock:end', 'a-name-longer-than-any-event-of-redis'],
];

describe('the RESP reader', () => {
  it('reads every type, and keys of any bytes', () => {
    const { reader, heard } = listen();
    reader.write(Buffer.from(stream, 'latin1'));
    expect(heard).toEqual(expected);
    expect(reader.isMidFrame).toBe(false);
  });

  it('reads the same when the bytes are cut in two at any place', () => {
    const bytes = Buffer.from(stream, 'latin1');
    for (let at = 1; at < bytes.length; at++) {
      const { reader, heard } = listen();
      reader.write(bytes.subarray(0, at));
      reader.write(bytes.subarray(at));
      expect(heard, `cut at ${at}`).toEqual(expected);
    }
  });

  it('reads the same when the bytes come one by one', () => {
    const { reader, heard } = listen();
    for (const byte of Buffer.from(stream, 'latin1')) reader.write(Buffer.of(byte));
    expect(heard).toEqual(expected);
  });

  it('reads a bulk of many chunks', () => {
    const { reader, heard } = listen();
    const big = 'x'.repeat(3_000_000);
    const bytes = Buffer.from(`${bulk(big)}+OK\r\n`, 'latin1');
    for (let at = 0; at < bytes.length; at += 65_536) reader.write(bytes.subarray(at, at + 65_536));
    expect(heard).toEqual([
      ['reply', big],
      ['reply', 'OK'],
    ]);
  });

  it('tells an event once, however many patterns match it and wherever the bytes are cut', () => {
    const [narrow, loose] = ['__keyspace@0__:order:*', '__keyspace@0__:*lock'];
    const [one, other] = ['__keyspace@0__:order:lock', '__keyspace@0__:order:1'];
    const bytes = Buffer.from(
      [
        by(narrow, one, 'set') + by(loose, one, 'set'),
        by(narrow, one, 'set') + by(loose, one, 'set'),
        by(narrow, one, 'del') + by(loose, one, 'del'),
        by(narrow, other, 'set') + by(narrow, other, 'set'),
        by('__keyevent@*__:*', '__keyevent@0__:set', 'order:1'),
        `>3\r\n${bulk('psubscribe')}${bulk(loose)}:1\r\n`,
        by(loose, other, 'set'),
        by(loose, '__keyspace@1__:order:1', 'set'),
      ].join(''),
      'latin1',
    );
    for (let at = 1; at < bytes.length; at++) {
      const { reader, heard } = listen();
      reader.write(bytes.subarray(0, at));
      reader.write(bytes.subarray(at));
      expect(heard.filter(([kind]) => kind === 'event')).toEqual([
        ['event', 0, 'order:lock', 'set'],
        ['event', 0, 'order:lock', 'set'],
        ['event', 0, 'order:lock', 'del'],
        ['event', 0, 'order:1', 'set'],
        ['event', 0, 'order:1', 'set'],
        ['event', 0, 'order:1', 'set'],
        ['event', 1, 'order:1', 'set'],
      ]);
    }
  });

  it('takes the answers to subscriptions within EXEC as its elements, and events there as events', () => {
    const { reader, heard } = listen();
    const answer = `>3\r\n${bulk('psubscribe')}${bulk('p')}:1\r\n`;
    const event = message('__keyspace@0__:lock:a', 'set');
    reader.write(Buffer.from(`*2\r\n${answer}${event}${answer}+OK\r\n`, 'latin1'));
    expect(heard).toEqual([
      ['event', 0, 'lock:a', 'set'],
      [
        'reply',
        [
          ['psubscribe', 'p', 1],
          ['psubscribe', 'p', 1],
        ],
      ],
      ['reply', 'OK'],
    ]);
  });

  it('knows when the bytes end inside a frame', () => {
    const { reader } = listen();
    reader.write(Buffer.from('*2\r\n:1\r\n'));
    expect(reader.isMidFrame).toBe(true);
    reader.write(Buffer.from(':2\r\n'));
    expect(reader.isMidFrame).toBe(false);
  });

  it('refuses bytes that are not RESP', () => {
    const { reader } = listen();
    expect(() => reader.write(Buffer.from('HTTP/1.1 400\r\n'))).toThrow('not RESP');
  });
});
