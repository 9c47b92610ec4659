import { describe, expect, it } from 'vitest';
import { createCheckRound } from '@/server/check-round';
import type { ReadObservation } from '@/server/watch/observation';

const read = (key: string, isCheck: boolean): ReadObservation => ({
  ...{ kind: 'read', at: 0, db: 0, key, cause: 'event', value: null, pttl: null, queue: null },
  ...{ fence: null, ...(isCheck && { isCheck: true }) },
});

describe('a round of checks', () => {
  it('is answered once all of its keys were read for it', () => {
    const asked: string[] = [];
    const round = createCheckRound((refs, cause) => {
      asked.push(...refs.map(({ key }) => `${cause} ${key}`));
    });
    round.ask([
      { db: 0, key: 'a' },
      { db: 0, key: 'b' },
    ]);
    expect(asked).toEqual(['check a', 'check b']);
    round.note([read('a', true), read('b', false)]);
    expect(round.takeAnswered()).toBe(false);
    round.note([read('b', true)]);
    expect([round.takeAnswered(), round.takeAnswered()]).toEqual([true, false]);
  });

  it('with nothing to ask for is never answered, and the next one takes the place of the last', () => {
    const round = createCheckRound(() => undefined);
    round.ask([]);
    round.note([read('a', true)]);
    expect(round.takeAnswered()).toBe(false);
    round.ask([{ db: 0, key: 'a' }]);
    round.ask([{ db: 0, key: 'b' }]);
    round.note([read('a', true)]);
    expect(round.takeAnswered()).toBe(false);
  });
});
