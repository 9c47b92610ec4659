import { describe, expect, it } from 'vitest';
import { compileName, fitsEveryFullName, fitsEveryName } from '@/lib/analysis/name-pattern';
import { bytesFromText } from '@/lib/protocol/bytes';
import type { NamePattern } from '@/lib/protocol/name-pattern';

const fits = (pattern: NamePattern, name: string | null): boolean => compileName(pattern)(name);

describe('a name', () => {
  it.each(['order:*', 'a?b', '[a-c]', '\\*', 'größe'])('fits itself alone: %s', (name) => {
    expect(fits(name, name)).toBe(true);
    for (const other of ['order:1', 'axb', 'b', '*', 'größ', null]) {
      expect(fits(name, other)).toBe(false);
    }
  });
});

describe('a pattern over names', () => {
  it.each<[string, string | null, boolean]>([
    ['*', '', true],
    ['*', null, false],
    ['order:*', 'order:*:item', true],
    ['order:\\*', 'order:*', true],
    ['order:\\*', 'order:x', false],
    ['worker-?', 'worker-7', true],
    ['worker-?', 'worker-17', false],
    ['gr*e', 'größe', true],
    ['gr[ab]y', 'gray', true],
    ['a', 'A', false],
  ])('%s for %s: %s', (glob, name, isFitting) => {
    expect(fits({ glob }, name)).toBe(isFitting);
  });

  it('takes no longer for many stars', () => {
    const compiled = compileName({ glob: `${'*a'.repeat(100)}*b` });
    expect(compiled('a'.repeat(100_000))).toBe(false);
    expect(compiled(`${'a'.repeat(100_000)}b`)).toBe(true);
  });

  it('asks for the bytes of a name where somebody has them, and not at all for a name alone', () => {
    const asked: string[] = [];
    const bytesOf = (name: string): string => {
      asked.push(name);
      return bytesFromText(name);
    };
    const compiled = ['gr*e', 'gr*n'].map((glob) => compileName({ glob }, bytesOf));
    expect(compiled.map((fit) => fit('größe'))).toEqual([true, false]);
    expect(compileName('größe', bytesOf)('größe')).toBe(true);
    expect(asked).toEqual(['größe', 'größe']);
  });

  it('that fits everything is known, and a name is none', () => {
    expect([{ glob: '*' }, { glob: '***' }].map(fitsEveryName)).toEqual([true, true]);
    expect(['*', { glob: '?*' }, { glob: '\\*' }].map(fitsEveryName)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['*', true],
    ['?*', true],
    ['*?', true],
    ['**?**', true],
    ['[^]*', true],
    ['*[^', true],
    ['?', false],
    ['??*', false],
    ['\\?*', false],
    ['[a-z]*', false],
    ['*[^a]', false],
    ['', false],
  ])('that fits every name but an empty one is known too: %s, %s', (glob, isFitting) => {
    expect(fitsEveryFullName({ glob })).toBe(isFitting);
    expect(fitsEveryFullName(glob)).toBe(false);
  });
});
