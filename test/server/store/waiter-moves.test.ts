import { expect, it } from 'vitest';
import { movesOf } from '@/server/store/waiter-moves';

it('puts each change in who waits at its moment, and what nobody told at when it was seen', () => {
  expect(movesOf({ before: 1, after: 2 }, { at: 50, came: [10, 20], went: [30] })).toEqual([
    { at: 10, change: 1 },
    { at: 20, change: 1 },
    { at: 30, change: -1 },
  ]);
  expect(movesOf({ before: 0, after: 3 }, { at: 50, came: [10] })).toEqual([
    { at: 10, change: 1 },
    { at: 50, change: 2 },
  ]);
  expect(movesOf({ before: 4, after: 0 }, { at: 50 })).toEqual([{ at: 50, change: -4 }]);
});
