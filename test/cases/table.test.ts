import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AlertCode } from '@/lib/protocol/alert';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';
import { ROOT } from '@/test/support/source-tree';

const span = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

const CASES = [
  ...[
    'R1',
    'R4',
    'R5',
    'R6',
    'R8',
    'R9',
    'R10',
    'R15',
    'R16',
    'R18',
    'R20',
    'R22',
    'R23',
    'R24',
    'R25',
    'R26',
    'R28',
    'R32',
  ],
  ...[...span(1, 28), '31', '32', '34', '36', '37', '39', '40', '41', '42', '44', ...span(46, 69)],
  ...[
    ...span(73, 78),
    ...span(79, 85),
    '89',
    '90',
    '91',
    '92',
    '93',
    '94',
    '97',
    '98',
    '99',
    '102',
    '105',
  ],
];

const ROW = /^\| (R?\d+) +\| .*\| `(test\/[^`]+)` › (.+?) +\|$/;

const lines = readFileSync(join(ROOT, 'test/cases/README.md'), 'utf8').split('\n');

const rows = lines
  .filter((line) => /^\| R?\d/.test(line))
  .map((line) => {
    const [, id = '', file = '', name = ''] = ROW.exec(line) ?? [];
    return { line, id, file, name };
  });

const NAMED = '`(test/[^`]+)` › (.+?)';
const ALERT_ROW = new RegExp(`^\\| \`([a-z-]+)\` +\\| .*?\\| ${NAMED} +\\| ${NAMED} +\\|$`);

/** Of each kind of alert the test of its right moment and that of its wrong one. */
const alertRows = lines
  .filter((line) => /^\| `[a-z]/.test(line))
  .map((line) => {
    const [, code = '', file = '', name = '', twinFile = '', twin = ''] =
      ALERT_ROW.exec(line) ?? [];
    return {
      line,
      code,
      tests: [
        { file, name },
        { file: twinFile, name: twin },
      ],
    };
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

/** Of the console itself: whether it can write and judge does not depend on a Redis. */
const OF_THE_CONSOLE: readonly AlertCode[] = ['judging-failed', 'store-broken'];

const STARTS_REDIS =
  /^import \{[^}]*\b(?:startRedis|startOldRedis|watchedRedis|replicatedRedis)\b[^}]*\}/m;

const startsRedis = (file: string): boolean =>
  existsSync(join(ROOT, file)) && STARTS_REDIS.test(readFileSync(join(ROOT, file), 'utf8'));

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

describe('the table of alerts', () => {
  it('has every kind, and tests that exist of the right moment and of the wrong one', () => {
    const known = new Set(alertRows.map(({ code }) => code));
    expect(ALERT_CODES.filter((code) => !known.has(code))).toEqual([]);
    const missing = alertRows.filter(({ tests }) =>
      tests.some(({ file, name }) => !hasTest(file, name)),
    );
    expect(missing.map(({ line }) => line)).toEqual([]);
  });

  it('shows each moment on a real Redis, but for what is of the console itself', () => {
    const byHand = alertRows
      .filter(({ tests }) => tests.some(({ file }) => !startsRedis(file)))
      .map(({ code }) => code);
    expect(byHand.toSorted()).toEqual(OF_THE_CONSOLE);
  });
});
