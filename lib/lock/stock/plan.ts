/** Units to move from one segment to another. */
export interface Move {
  from: number;
  to: number;
  quantity: number;
}

export interface Demand {
  segment: number;
  quantity: number;
}

/**
 * What every segment should have: first the demands, in their order, each wholly or not at all; the rest evenly,
 * so that the next orders find their own segment stocked.
 */
function targets(left: readonly number[], demands: readonly Demand[]): number[] {
  const wanted = left.map(() => 0);
  let free = left.reduce((sum, units) => sum + units, 0);
  for (const { segment, quantity } of demands) {
    if (quantity > free) continue;
    wanted[segment] = (wanted[segment] ?? 0) + quantity;
    free -= quantity;
  }
  const even = Math.floor(free / left.length);
  const fullest = left.map((_, index) => index).sort((a, b) => (left[b] ?? 0) - (left[a] ?? 0));
  const odd = new Set(fullest.slice(0, free % left.length));
  return wanted.map((units, index) => units + even + (odd.has(index) ? 1 : 0));
}

/** The moves that serve as many demands as the stock allows, first come first served, and even out the rest. */
export function planMoves(left: readonly number[], demands: readonly Demand[]): Move[] {
  const goal = targets(left, demands);
  const surplus = left.map((units, index) => units - (goal[index] ?? 0));
  const moves: Move[] = [];
  let from = 0;
  for (let to = 0; to < surplus.length; to++) {
    let missing = -(surplus[to] ?? 0);
    while (missing > 0 && from < surplus.length) {
      const quantity = Math.min(missing, Math.max(0, surplus[from] ?? 0));
      if (quantity > 0) moves.push({ from, to, quantity });
      missing -= quantity;
      surplus[from] = (surplus[from] ?? 0) - quantity;
      if (missing > 0) from++;
    }
  }
  return moves;
}
