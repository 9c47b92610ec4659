import { describe, expect, it } from 'vitest';
import { PAGE_ROWS, rowAt, windowFor } from '@/components/locks/list/row-window';

describe('the window of rows', () => {
  it('covers what is in sight and a page either side', () => {
    for (const first of [0, 1, 59, 60, 61, 5000, 99_950]) {
      const last = first + 40;
      const { offset, limit } = windowFor(first, last);
      expect(offset).toBeLessThanOrEqual(Math.max(0, first - PAGE_ROWS + 59));
      expect(offset + limit).toBeGreaterThan(last + PAGE_ROWS - 60);
      expect(limit).toBeLessThanOrEqual(1000);
    }
  });

  it('stays the same while the rows in sight stay within their pages', () => {
    expect(windowFor(600, 630)).toEqual(windowFor(610, 650));
    expect(windowFor(600, 630)).not.toEqual(windowFor(600, 660));
  });

  it('finds a row by its place in the whole list', () => {
    const page = { items: ['a', 'b'], offset: 120 };
    expect(rowAt(page, 121)).toBe('b');
    expect(rowAt(page, 119)).toBeUndefined();
    expect(rowAt(page, 122)).toBeUndefined();
    expect(rowAt(undefined, 0)).toBeUndefined();
  });
});
