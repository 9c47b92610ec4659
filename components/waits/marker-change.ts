/** How a figure changed from before a moment to after it. */
export type Change =
  | { kind: 'unknown' }
  | { kind: 'same' }
  /** `share` of the figure before. */
  | { kind: 'more' | 'less'; share: number };

/** Smaller changes than the error of a percentile are none. */
const LEAST_SHARE = 0.02;

/** Null = not known; from nothing to something has no share. */
export function changeOf(before: number | null, after: number | null): Change {
  if (before === null || after === null) return { kind: 'unknown' };
  if (before === after) return { kind: 'same' };
  if (before === 0) return { kind: 'unknown' };
  const share = after / before - 1;
  if (Math.abs(share) < LEAST_SHARE) return { kind: 'same' };
  return { kind: share > 0 ? 'more' : 'less', share: Math.abs(share) };
}
