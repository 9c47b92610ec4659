import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';

/** Fewer say nothing about the hundredth one. */
const LEAST = 100;
/** A quantile is computed anew once this share of them has come since. */
const STALE_SHARE = 1.1;

/** Durations, ms, of which a quantile is asked far more often than one is added: for every held lock, many times a second. */
export class Durations {
  readonly #sketch = createSketch();
  /** By share, of the first `#basis`. */
  readonly #computed = new Map<number, number | null>();
  #basis = 0;

  get count(): number {
    return this.#sketch.count;
  }

  /** Of so many are the quantiles that are told; all of them until there are enough. */
  get basis(): number {
    return this.#basis === 0 ? this.count : this.#basis;
  }

  add(ms: number): void {
    this.#sketch.add(ms);
  }

  merge(others: Sketch | Durations): void {
    this.#sketch.merge(others instanceof Durations ? others.#sketch : others);
  }

  /** Up to which duration that share (0…1) of them goes; null while there are too few. */
  quantile(share: number): number | null {
    const { count } = this.#sketch;
    if (count < LEAST) return null;
    if (count > this.#basis * STALE_SHARE) {
      this.#computed.clear();
      this.#basis = count;
    }
    let quantile = this.#computed.get(share);
    if (quantile === undefined)
      this.#computed.set(share, (quantile = this.#sketch.quantile(share)));
    return quantile;
  }
}
