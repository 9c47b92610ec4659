import type { SharedFilter } from './lock-order-held';
import type { Place } from './lock-order-shape';

/** So often one must have been taken within the other. */
const LEAST_TIMES = 2;
/** In so many of its takings the other was held: else they only met. */
const LEAST_SHARE = 0.9;
const MOST_COUNTED = 10_000;

interface Count {
  taken: number;
  crossed: number;
}

const nameOf = (owner: string, ...places: Place[]): string =>
  [owner, ...places.map(({ lock }) => lock.class)].join('\n');

/**
 * Threads that share an owner's name hold locks at the same time by chance. That one is taken by whoever holds the
 * other is believed where it is so nearly every time, more than once, and always ended within.
 */
export function createSharedFilter(): SharedFilter {
  const counts = new Map<string, Count>();
  const countOf = (name: string): Count => {
    const count = counts.get(name) ?? { taken: 0, crossed: 0 };
    counts.delete(name);
    counts.set(name, count);
    const [oldest] = counts.keys();
    if (counts.size > MOST_COUNTED && oldest !== undefined) counts.delete(oldest);
    return count;
  };
  return {
    taken: (owner, wanted) => void (countOf(nameOf(owner, wanted)).taken += 1),
    nested: (owner, held, wanted) => {
      const all = countOf(nameOf(owner, wanted)).taken;
      const pair = countOf(nameOf(owner, held, wanted));
      pair.taken += 1;
      return pair.crossed === 0 && pair.taken >= LEAST_TIMES && pair.taken >= all * LEAST_SHARE;
    },
    crossed: (owner, held, wanted) => void (countOf(nameOf(owner, held, wanted)).crossed += 1),
  };
}
