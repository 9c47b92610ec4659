import { describe, expect, it } from 'vitest';
import { readMessagePack } from '@/lib/formats/message-pack';

const bytes = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

describe('MessagePack', () => {
  it.each<[string, string, unknown]>([
    ['a small number', '07', 7],
    [
      'numbers of one, two, four and eight bytes',
      '94ccffcdffffceffffffffcf0000000100000000',
      [255, 65_535, 4_294_967_295, 4_294_967_296],
    ],
    ['fractions of four and eight bytes', '92ca3fc00000cb3ff8000000000000', [1.5, 1.5]],
    ['short text', 'a26869', 'hi'],
    [
      'text with a length of one, two and four bytes',
      '93d90161da000162db0000000163',
      ['a', 'b', 'c'],
    ],
    ['raw bytes', '92c401ffc500020080', ['\xff', '\x00\x80']],
    ['an empty list', '90', []],
    ['lists with a length of two and four bytes', '92dc000101dd0000000102', [[1], [2]]],
  ])('reads %s', (_name, hex, value) => {
    expect(readMessagePack(bytes(hex))).toEqual(value);
  });

  it.each([
    ['nothing', ''],
    ['more than one value', '0707'],
    ['a list that is cut', '92a161'],
    ['text that is cut', 'a5686f'],
    ['a number that is cut', 'cb3ff800'],
    ['a list that claims four thousand million items', 'ddffffffff'],
    ['text that claims four thousand million bytes', 'dbffffffff61'],
    ['lists in lists without end', '91'.repeat(5000)],
    ['a map', '81a16101'],
    ['nil', 'c0'],
    ['an extension', 'd40001'],
    ['a signed number', 'd0ff'],
    ['three hundred items', `dc012c${'01'.repeat(300)}`],
  ])('does not read %s', (_name, hex) => {
    expect(readMessagePack(bytes(hex))).toBeNull();
  });
});
