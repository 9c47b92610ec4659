import { describe, expect, it } from 'vitest';
import { waitingFigure } from '@/components/overview/waiting-figure';

describe('the number of waiters on the overview', () => {
  it('is exact where every lock shows its waiters, and nobody waits for what nobody holds', () => {
    expect(waitingFigure({ waiting: 4, waitingUnknownLocks: 0 })).toEqual({
      value: 4,
      isLeast: false,
    });
    expect(waitingFigure({ waiting: null, waitingUnknownLocks: 0 }).value).toBe(0);
  });

  it('is the least there may be beside locks that do not show theirs', () => {
    expect(waitingFigure({ waiting: 4, waitingUnknownLocks: 3 })).toEqual({
      value: 4,
      isLeast: true,
    });
  });

  it('is not known, rather than zero, when nobody is seen and some cannot be', () => {
    const unknown = { value: null, isLeast: false };
    expect(waitingFigure({ waiting: 0, waitingUnknownLocks: 3 })).toEqual(unknown);
    expect(waitingFigure({ waiting: null, waitingUnknownLocks: 3 })).toEqual(unknown);
  });
});
