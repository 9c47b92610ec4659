/** When a change in who waits was seen, and what is known of when each came or went. */
export interface Seen {
  at: number;
  came?: readonly number[];
  went?: readonly number[];
}

export interface Move {
  at: number;
  /** How many more wait from then on. */
  change: number;
}

/** The change from `before` to `after` waiters, each at its moment where that is known; the rest at `at`. */
export function movesOf(
  { before, after }: { before: number; after: number },
  { at, came = [], went = [] }: Seen,
): Move[] {
  const moves: Move[] = [
    ...came.map((since) => ({ at: since, change: 1 })),
    ...went.map((until) => ({ at: until, change: -1 })),
  ];
  const rest = after - before - came.length + went.length;
  if (rest !== 0) moves.push({ at, change: rest });
  return moves;
}
