/**
 * A quantile sketch with relative error 0.5 % (DDSketch's logarithmic mapping: Masson, Rim, Lee, VLDB 2019).
 * Mergeable; values are milliseconds ≥ 0.
 */
export interface Sketch {
  add: (value: number) => void;
  merge: (other: Sketch) => void;
  /** Null when empty. `q` in 0…1. */
  quantile: (q: number) => number | null;
  readonly count: number;
  /** How many values are greater, but for those within the relative error of `value`. */
  above: (value: number) => number;
  /** Counts per logarithmic display bucket: upper bounds double from 1 ms. */
  buckets: () => { le: number; count: number }[];
  serialise: () => Uint8Array;
}
