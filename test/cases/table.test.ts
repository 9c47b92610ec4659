import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '@/test/support/source-tree';

const span = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

const CASES = [
  ...['R4', 'R5', 'R16', 'R20', 'R26', 'R32'],
  ...[...span(1, 27), '36', '39', '40', '42', '44', ...span(46, 61), ...span(65, 69)],
  ...[...span(73, 78), '99', '105'],
];

const ROW = /^\| (R?\d+) +\| .*\| `(test\/[^`]+)` › (.+?) +\|$/;

const rows = readFileSync(join(ROOT, 'test/cases/README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| R?\d/.test(line))
  .map((line) => {
    const [, id = '', file = '', name = ''] = ROW.exec(line) ?? [];
    return { line, id, file, name };
  });

/** Whether a file has a test of that name, alone or for each of a list. */
function hasTest(file: string, name: string): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return [`'${name}'`, `"${name}"`].some((quoted) => {
    const at = text.indexOf(quoted);
    return at >= 0 && /(?:\bit|\]\s*(?:as const)?\)|\btest)\(\s*$/.test(text.slice(0, at));
  });
}

describe('the table of cases', () => {
  it('has a test for every one', () => {
    expect(rows.filter(({ id }) => id === '').map(({ line }) => line)).toEqual([]);
    const known = new Set(rows.map(({ id }) => id));
    expect(CASES.filter((id) => !known.has(id))).toEqual([]);
  });

  it('names tests that exist', () => {
    expect(rows.filter(({ file, name }) => !hasTest(file, name)).map(({ line }) => line)).toEqual(
      [],
    );
  });
});
