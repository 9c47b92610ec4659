import { describe, expect, it } from 'vitest';
import { csvText } from '@/lib/csv';

describe('a table for spreadsheets', () => {
  it('has a head, ends every line, and leaves what is not known empty', () => {
    expect(csvText(['a', 'b'], [[1, null]])).toBe('a,b\r\n1,\r\n');
  });

  it('keeps separators, quotes and blanks at the edges of a text', () => {
    expect(csvText(['k'], [['a,"b"'], [' c']])).toBe('k\r\n"a,""b"""\r\n" c"\r\n');
  });

  it('runs no formula that stands in a key', () => {
    expect(csvText(['k'], [['=1+1'], ['@x']])).toBe("k\r\n'=1+1\r\n'@x\r\n");
  });
});
