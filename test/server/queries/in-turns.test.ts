import { expect, it } from 'vitest';
import { inTurns } from '@/server/queries/in-turns';

/** Keeps the thread busy. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('goes through all items in order and lets others have their turn in between', async () => {
  const seen: number[] = [];
  let othersTurns = 0;
  let goesOn = true;
  const other = (): void => {
    othersTurns++;
    if (goesOn) setImmediate(other);
  };
  setImmediate(other);
  await inTurns([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], (item) => {
    spin(2);
    seen.push(item);
  });
  goesOn = false;
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(othersTurns).toBeGreaterThanOrEqual(10);
});

it('ends with what the work throws', async () => {
  const work = (): void => {
    throw new RangeError('no');
  };
  await expect(inTurns([1], work)).rejects.toThrow(RangeError);
});
