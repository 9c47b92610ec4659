import { describe, expect, test } from 'vitest';
import { bytesFromText, fromBase64Url, printable, toBase64Url } from '@/lib/protocol/bytes';

const latin1 = (bytes: number[]): string => String.fromCharCode(...bytes);

describe('printable', () => {
  test('leaves plain text and other scripts as they are', () => {
    expect(printable(bytesFromText('order:42'))).toBe('order:42');
    expect(printable(bytesFromText('заказ:锁'))).toBe('заказ:锁');
  });

  test('escapes controls, bidi overrides and zero-width characters byte by byte', () => {
    expect(printable('a\r\nb\0')).toBe('a\\x0d\\x0ab\\x00');
    expect(printable(bytesFromText('a\u202eb'))).toBe('a\\xe2\\x80\\xaeb');
    expect(printable(bytesFromText('a\u200bb'))).toBe('a\\xe2\\x80\\x8bb');
  });

  test('escapes bytes that are not UTF-8, and the backslash, so that no two keys look alike', () => {
    expect(printable(latin1([0xff, 0x41]))).toBe('\\xffA');
    expect(printable('\\xff')).toBe('\\\\xff');
    expect(printable(bytesFromText('\ufefforder:42'))).toBe('\\xef\\xbb\\xbforder:42');
  });
});

test('base64url brings every byte back and refuses other text', () => {
  const all = latin1(Array.from({ length: 256 }, (_, i) => i));
  expect(fromBase64Url(toBase64Url(all))).toBe(all);
  expect(toBase64Url(all)).not.toMatch(/[+/=]/);
  expect(fromBase64Url('a+b')).toBeNull();
  expect(fromBase64Url('a')).toBeNull();
});
