import { describe, expect, it } from 'vitest';
import { readDeadlockFile, type DeadlockFile } from '@/lib/protocol/deadlock-file';

const file: DeadlockFile = {
  kind: 'lockscope-deadlock',
  version: 1,
  exportedAt: 1_700_000_000_000,
  deadlock: {
    id: 'one',
    state: 'resolved',
    target: '127.0.0.1:6379',
    cycle: [
      {
        owner: 'a',
        waitsFor: { db: 0, key: 'x', keyB64: 'eA' },
        heldBy: 'b',
        waitingSince: null,
        deadline: null,
        renewed: true,
      },
    ],
    since: 1_699_999_000_000,
    resolvedAt: 1_699_999_900_000,
    evidence: 'observed',
  },
};

describe('a saved deadlock', () => {
  it('is read back as it was written', () => {
    expect(readDeadlockFile(JSON.stringify(file))).toEqual(file);
  });

  it('takes no other members along', () => {
    const text = JSON.stringify(file).replace('{', '{"__proto__":{"x":1},"html":"<script>",');
    expect(readDeadlockFile(text)).toEqual(file);
  });

  it.each([
    ['no JSON', '{'],
    ['an answer of the console', JSON.stringify([file.deadlock])],
    ['a file of a later version', JSON.stringify({ ...file, version: 2 })],
    [
      'a circle without its locks',
      JSON.stringify({ ...file, deadlock: { ...file.deadlock, cycle: [{}] } }),
    ],
    ['a time that is none', JSON.stringify({ ...file, exportedAt: 8_640_000_000_000_001 })],
    [
      'a wait that began at no time',
      JSON.stringify(file).replace('"waitingSince":null', '"waitingSince":-9007199254740991'),
    ],
    ['nothing', ''],
    ['brackets alone', '['.repeat(1_000_000)],
  ])('is not read out of %s', (_what, text) => {
    expect(readDeadlockFile(text)).toBeNull();
  });
});
