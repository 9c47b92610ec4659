import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import { formatTable } from '@/lib/formats';
import { durationParts } from '@/lib/messages/duration';
import { en } from '@/lib/messages/en';
import { releaseNote } from '@/lib/messages/format-text';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const said = (ms: number): string =>
  durationParts(ms)
    .map(({ n, unit }) => `${n} ${unit}`)
    .join(' ');

/** Every message of the catalogue with its path. */
function messages(node: unknown, path: string[] = []): [string, string][] {
  if (typeof node === 'string') return [[path.join('.'), node]];
  return Object.entries(node ?? {}).flatMap(([key, child]) => messages(child, [...path, key]));
}

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [340, '340 ms'],
    [4_230, '4.2 s'],
    [5_000, '5 s'],
    [1_696, '1.7 s'],
    [1_650, '1.7 s'],
    [999.6, '1 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_999, '1 m'],
    [9 * MINUTE + 12.5 * SECOND, '9 m 13 s'],
    [HOUR - 400, '1 h'],
    [24 * HOUR - 20 * SECOND, '1 d'],
    [9 * MINUTE + 12 * SECOND, '9 m 12 s'],
    [3 * HOUR + 5 * MINUTE, '3 h 5 m'],
    [24 * HOUR, '1 d'],
    [100 * HOUR, '4 d 4 h'],
    [-5, '0 ms'],
  ])('of %d ms is said as "%s"', (ms, text) => {
    expect(said(ms)).toBe(text);
  });
});

describe('the catalogue', () => {
  it('tells every release note that a format names', () => {
    for (const { id, releaseNotes, byType } of formatTable.formats) {
      const others = Object.values(byType ?? {}).flatMap((traits) => traits.releaseNotes);
      for (const note of [...releaseNotes, ...others])
        expect([id, note, releaseNote(en.formats, id, note)]).not.toContain(null);
    }
  });

  it('names every format', () => {
    for (const { id } of formatTable.formats) expect(Object.keys(en.formats)).toContain(id);
  });

  it('has nothing to say about a key it does not know, and repeats a sentence', () => {
    expect(releaseNote(en.formats, 'redisson', 'made-up')).toBeNull();
    expect(releaseNote(en.formats, 'made-up', 'The key is deleted.')).toBe('The key is deleted.');
    expect(releaseNote(en.formats, 'x', 'formats.redisson.fencing-kept')).toBeNull();
    expect(releaseNote(en.formats, 'redisson', 'formats.redisson.fencing-kept')).toContain(
      'fencing',
    );
  });

  it('has a well-formed message at every key', () => {
    const broken: string[] = [];
    // What the server says has blanks only and is no ICU message.
    const { sentences: _, ...pages } = en;
    for (const [path, message] of messages(pages)) {
      const t = createTranslator({
        locale: 'en',
        messages: { message },
        onError: ({ code }) => code === 'INVALID_MESSAGE' && broken.push(path),
      });
      t('message');
    }
    expect(broken).toEqual([]);
  });
});
