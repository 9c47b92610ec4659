import { describe, expect, it } from 'vitest';
import { createFormatsInUse } from '@/server/libraries/formats-in-use';
import { createPinBook } from '@/server/libraries/pin-book';
import type { PinRow } from '@/server/store/store-contract';

const pin = (pattern: string, format: string, createdAt: number): PinRow => ({
  ...{ pattern, format, createdAt },
  actor: 'operator@example.org',
  reason: 'ours',
});

describe('a pin book', () => {
  it('finds the newest pin of a key, whichever was told first', () => {
    const book = createPinBook([pin('order:*', 'redlock', 1), pin('order:x:*', 'redis-py', 2)]);
    expect(book.find('order:x:1')?.format).toBe('redis-py');
    expect(book.find('order:1')?.format).toBe('redlock');
    expect(book.find('other')).toBeNull();
    book.set(pin('*:1', 'shedlock', 3));
    expect(book.find('order:x:1')?.format).toBe('shedlock');
    expect(book.find('else:1')?.format).toBe('shedlock');
    expect(book.find('order:x:2')?.format).toBe('redis-py');
    expect(book.list().map(({ createdAt }) => createdAt)).toEqual([3, 2, 1]);
  });

  it('has one pin for each pattern, and none once it is taken away', () => {
    const book = createPinBook([]);
    expect(book.find('order:1')).toBeNull();
    book.set(pin('order:*', 'redlock', 1));
    book.set(pin('order:*', 'redis-py', 2));
    expect(book.list()).toHaveLength(1);
    expect(book.get('order:*')?.format).toBe('redis-py');
    book.remove('order:*');
    expect(book.find('order:1')).toBeNull();
    expect(book.list()).toEqual([]);
  });

  it('knows keys of any bytes', () => {
    const book = createPinBook([pin('\x00\xff?\r\n*', 'redlock', 1)]);
    expect(book.find('\x00\xff\x80\r\nend')?.format).toBe('redlock');
    expect(book.find('\x00\xff\x80\n')).toBeNull();
  });
});

describe('the formats in use', () => {
  it('follow the pins at once', () => {
    const pins = createPinBook([]);
    const settings = { watchPatterns: ['own:*'], watchEverything: false };
    const { table, isDeclared, isWatched, patterns } = createFormatsInUse(pins, settings);
    expect([isDeclared('own:1'), isWatched('own:1')]).toEqual([true, true]);
    expect([isDeclared('lock:1'), isWatched('lock:1')]).toEqual([false, true]);
    expect([isDeclared('order:1'), isWatched('order:1')]).toEqual([false, false]);
    expect(table.pinned('order:1')).toBeNull();
    pins.set(pin('order:*', 'redlock', 1));
    expect([isDeclared('order:1'), isWatched('order:1')]).toEqual([true, true]);
    expect(table.pinned('order:1')?.id).toBe('redlock');
    expect(patterns()).toEqual(['own:*', 'order:*']);
    pins.remove('order:*');
    expect([isDeclared('order:1'), isWatched('order:1')]).toEqual([false, false]);
    expect(patterns()).toEqual(['own:*']);
  });
});
