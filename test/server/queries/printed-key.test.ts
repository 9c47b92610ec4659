import { describe, expect, it } from 'vitest';
import { printable } from '@/lib/protocol/bytes';
import { bytesFromPrintable } from '@/server/queries/printed-key';

const KEYS = [
  'order:17',
  'back\\slash\\x41',
  '\x00\x01\x7f',
  '\xff\xfe half utf8 \xc3',
  Buffer.from('Schloß 锁 \u202e', 'utf8').toString('latin1'),
  '\\',
  '',
];

describe('a printed key', () => {
  it('is read back to the bytes it was printed from', () => {
    for (const key of KEYS) expect(bytesFromPrintable(printable(key))).toBe(key);
  });

  it('may be typed as plain text', () => {
    expect(bytesFromPrintable('锁')).toBe(Buffer.from('锁', 'utf8').toString('latin1'));
  });
});
