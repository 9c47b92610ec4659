/**
 * So many bins from one power of two to the next: the relative error of a quantile is (γ − 1) / (γ + 1) = 0.495 %, half of
 * the 1 % that is promised, as times are whole milliseconds besides. Powers of two are borders of bins, so that the
 * display buckets are exact.
 */
export const BINS_PER_OCTAVE = 70;
const GAMMA = 2 ** (1 / BINS_PER_OCTAVE);
export const MIN_MS = 0.01;
export const MAX_MS = 10 * 24 * 60 * 60 * 1000;
export const MIN_BIN = binOf(MIN_MS);
export const MAX_BIN = binOf(MAX_MS);

/** Bin `i` holds the values in (γ^(i−1), γ^i]. */
export function binOf(value: number): number {
  return Math.ceil(Math.log2(value) * BINS_PER_OCTAVE);
}

/** The value within the relative error of everything in the bin. */
export function valueOf(bin: number): number {
  return (2 * GAMMA ** bin) / (GAMMA + 1);
}
