import { describe, expect, it } from 'vitest';
import { createLineCutter, LONGEST_LINE } from '@/server/watch/trace/line-cutter';
import { Arguments, readHead } from '@/server/watch/trace/monitor-line';
import { monitorLine } from './lines';

function wordsOf(line: string): string[] {
  const head = readHead(line);
  if (!head) throw new Error('no head');
  return new Arguments(line, head.start).rest(100);
}

const HOSTILE = [
  'plain',
  '',
  ' ',
  '"',
  '\\',
  '\\"',
  '\\\\',
  'ends with \\',
  'a "quoted" one',
  '] "set" "x"',
  '1796021214.481849 [0 1.2.3.4:5] "get" "x"',
  '\r\n+OK\r\n',
  '\x00\x01\x1b[31m\x7f',
  '\xff\xfe\x80',
  '\\x41',
  '\\n',
];

describe('a line of MONITOR', () => {
  it.each(HOSTILE)('gives back the argument %j as it was', (word) => {
    expect(wordsOf(monitorLine(['SET', word, 'value', word]))).toEqual([
      ...['SET', word, 'value', word],
    ]);
  });

  it('tells when, in which db and from where', () => {
    const line = '1796021214.481849 [15 127.0.0.1:43074] "set" "k" "v"';
    expect(readHead(line)).toMatchObject({ db: 15, from: '127.0.0.1:43074' });
    expect(readHead(line)?.at).toBeCloseTo(1796021214481.849, 2);
  });

  it.each(['[::1]:6379', 'unix:/tmp/redis.sock', 'lua', 'unix:/tmp/a b] c'])(
    'comes from %s',
    (from) => {
      const line = monitorLine(['get', 'key'], { from });
      expect(readHead(line)?.from).toBe(from);
      expect(wordsOf(line)).toEqual(['get', 'key']);
    },
  );

  it.each([
    '',
    'OK',
    ' [',
    'x [0 a] "get"',
    '1.5 [zero a] "get"',
    '1.5 [0 a]',
    '1.5 [0 a] get',
    '-ERR no',
  ])('that is none is told apart: %j', (line) => expect(readHead(line)).toBeNull());

  it('that was cut gives what is whole of it', () => {
    const line = monitorLine(['eval', 'return 1', '1', 'lock:a']);
    for (let end = line.length - 1; end > line.indexOf(']') + 3; end--) {
      const words = wordsOf(line.slice(0, end));
      expect(['eval', 'return 1', '1', 'lock:a'].slice(0, words.length)).toEqual(words);
    }
  });

  it('has no more arguments read than are asked for', () => {
    const line = monitorLine(['mset', ...Array.from({ length: 1000 }, (_, i) => `k${i}`)]);
    const args = new Arguments(line, readHead(line)?.start ?? 0);
    expect([args.next(), args.rest(3)]).toEqual(['mset', ['k0', 'k1', 'k2']]);
  });
});

describe('cutting a stream into lines', () => {
  const cut = (chunks: readonly string[]): string[] => {
    const lines: string[] = [];
    const cutter = createLineCutter((line) => lines.push(line));
    for (const chunk of chunks) cutter.write(chunk);
    return lines;
  };

  it('does not depend on where the chunks end', () => {
    const text = '+OK\r\n+first line\r\n+\r\n+third\r\n';
    for (let i = 1; i < text.length; i++) {
      for (let j = i; j < text.length; j++) {
        const chunks = [text.slice(0, i), text.slice(i, j), text.slice(j)];
        expect(cut(chunks)).toEqual(['+OK', '+first line', '+', '+third']);
      }
    }
  });

  it('keeps only the beginning of a line without end', () => {
    const lines: string[] = [];
    const cutter = createLineCutter((line) => lines.push(line));
    for (let i = 0; i < 200; i++) cutter.write('x'.repeat(10_000));
    cutter.write('\r\n+next\r\n');
    expect(lines.map(({ length }) => length)).toEqual([LONGEST_LINE, 5]);
    expect(cut([`${'y'.repeat(1_000_000)}\r\n+next\r\n`])[0]).toHaveLength(LONGEST_LINE);
  });
});
