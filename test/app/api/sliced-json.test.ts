import { describe, expect, it } from 'vitest';
import { slicedJson } from '@/app/api/sliced-json';

describe('JSON that is written in slices', () => {
  it.each([
    ['nothing', {}],
    ['lists of lists', { values: [[1, null, 0.1], []], rows: [{ label: 'a "b"\n€' }], empty: [] }],
    ['what JSON does not have', { at: Number.NaN, gone: undefined, items: [undefined, 1] }],
    ['names that need quotes', { 'a"b': { c: [1] }, d: null, e: 'f' }],
  ])('reads like JSON written at once: %s', async (_what, value) => {
    const response = slicedJson(value);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(JSON.stringify(value));
  });

  it('lets others have their turn while a large table is written', async () => {
    const values = Array.from({ length: 3000 }, (_, row) => Array(360).fill(row / 7));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const response = slicedJson({ values });
    const body = await response.json();
    clearInterval(timer);
    expect(body).toEqual({ values });
    expect(turns).toBeGreaterThan(5);
  });
});
