import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { ROOT } from '@/test/support/source-tree';

/** First cells of the table of libraries in the README. */
function documented(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = readme.split('\n## Libraries\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, id]) => id ?? '');
}

describe('the table of libraries', () => {
  it('has each format once, and no other', () => {
    expect(documented().toSorted()).toEqual(formatTable.formats.map(({ id }) => id).toSorted());
  });
});
