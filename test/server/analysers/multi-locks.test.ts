import { describe, expect, it } from 'vitest';
import { createMultiLocks } from '@/server/analysers/multi-locks';
import type { HoldRecord } from '@/server/state/lock-record';
import { aHold, aLock, START } from '@/test/support/records';

const HOUR = 3_600_000;

function watching() {
  const locks = createMultiLocks();
  const take = (
    token: string,
    keys: readonly string[],
    {
      since = START,
      formatId = 'redlock',
      ...more
    }: Partial<HoldRecord> & { formatId?: string } = {},
  ): void => {
    for (const key of keys) {
      const hold = aHold(token.padEnd(32, '0'), { since, ...more });
      const lock = aLock(key, { formatId, hold });
      locks.observe?.([{ kind: 'hold-updated', at: since, lock, hold }]);
    }
  };
  return { take, seen: locks.seen };
}

describe('locks over several keys', () => {
  it('are told with an example once two tokens took keys of different slots in one moment', () => {
    const { take, seen } = watching();
    take('a', ['order:1', 'stock:1']);
    expect(seen(START)).toEqual({ together: 0, split: 0, example: null });
    take('b', ['order:2', 'stock:2'], { since: START + 1000 });
    take('c', ['{order}:3', '{order}:4'], { since: START + 2000 });
    expect(seen(START + 2000)).toMatchObject({
      ...{ together: 1, split: 2 },
      example: { db: 0, keys: ['order:2', 'stock:2'], at: START + 1000 },
    });
    expect(seen(START + 25 * HOUR)).toEqual({ together: 0, split: 0, example: null });
  });

  it.each([
    ['of a library that takes key after key', { formatId: 'redisson' }],
    ['whose beginning was not seen', { sinceEvidence: 'inferred' as const }],
  ])('%s are none', (_, more) => {
    const { take, seen } = watching();
    take('a', ['order:1', 'stock:1'], more);
    take('b', ['order:2', 'stock:2'], more);
    expect(seen(START)).toEqual({ together: 0, split: 0, example: null });
  });

  it('by a token that is used again, or in two moments, are none', () => {
    const { take, seen } = watching();
    for (const token of ['a', 'b']) {
      take(token, ['order:1', 'stock:1']);
      take(token, ['order:1'], { since: START + 5000 });
    }
    for (const token of ['c', 'd']) {
      take(token, ['order:1']);
      take(token, ['stock:1'], { since: START + 5000 });
    }
    expect(seen(START + 5000)).toEqual({ together: 0, split: 0, example: null });
  });

  it('are kept within bounds', () => {
    const { take, seen } = watching();
    for (let i = 0; i < 2000; i++) take(`${i}-`, [`order:${i}`, `stock:${i}`]);
    expect(seen(START).split).toBeLessThanOrEqual(1000);
    take(
      'z',
      Array.from({ length: 100 }, (_, i) => `many:${i}`),
    );
    expect(seen(START).example?.keys).toHaveLength(16);
  });
});
