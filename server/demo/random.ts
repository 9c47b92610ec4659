/** Seeded randomness, so that a demo plays the same each time. */
export interface Random {
  /** 0 ≤ x < 1. */
  next: () => number;
  /** Integer, both ends included. */
  between: (from: number, to: number) => number;
  pick: <T>(items: readonly [T, ...T[]]) => T;
  hex: (digits: number) => string;
  /** A version-4 UUID. */
  uuid: () => string;
}

/** Generator mulberry32: 32 bits of state, good enough for a demo. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const hex = (digits: number): string => {
    let out = '';
    while (out.length < digits) out += between(0, 15).toString(16);
    return out;
  };
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
