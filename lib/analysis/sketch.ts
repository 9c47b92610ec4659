import type { Sketch } from './analysis-contract';
import { corruptSketch, createVarintReader, pushVarint } from './sketch-bytes';

/** Relative error of every quantile. Half of it would double the bins. */
const ALPHA = 0.01;
const GAMMA = (1 + ALPHA) / (1 - ALPHA);
const LOG_GAMMA = Math.log(GAMMA);
const MIN_MS = 0.01;
const MAX_MS = 10 * 24 * 60 * 60 * 1000;
const MIN_BIN = binOf(MIN_MS);
const MAX_BIN = binOf(MAX_MS);
/** The window of bins grows in steps: most sketches of one class cover a narrow range. */
const GROWTH = 32;

const FORMAT_VERSION = 1;

/** Bin `i` holds the values in (γ^(i−1), γ^i]. */
function binOf(value: number): number {
  return Math.ceil(Math.log(value) / LOG_GAMMA);
}

/** The value within α of everything in the bin. */
function valueOf(bin: number): number {
  return (2 * GAMMA ** bin) / (GAMMA + 1);
}

class LogSketch implements Sketch {
  #count = 0;
  #zeros = 0;
  /** `#counts[i]` is bin `#first + i`. */
  #counts = new Float64Array(0);
  #first = 0;

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    if (Number.isNaN(value)) throw new RangeError('a duration must be a number, got NaN');
    if (value < MIN_MS) this.addZeros(1);
    else this.addToBin(binOf(Math.min(value, MAX_MS)), 1);
  }

  addZeros(times: number): void {
    this.#zeros += times;
    this.#count += times;
  }

  addToBin(bin: number, times: number): void {
    this.#cover(bin, bin);
    const at = bin - this.#first;
    this.#counts[at] = (this.#counts[at] ?? 0) + times;
    this.#count += times;
  }

  merge(other: Sketch): void {
    const from = #counts in other ? other : parse(other.serialise());
    this.#zeros += from.#zeros;
    this.#count += from.#count;
    const counts = from.#counts;
    if (counts.length === 0) return;
    const first = from.#first;
    this.#cover(first, first + counts.length - 1);
    const shift = first - this.#first;
    for (let i = 0; i < counts.length; i++) {
      this.#counts[shift + i] = (this.#counts[shift + i] ?? 0) + (counts[i] ?? 0);
    }
  }

  quantile(q: number): number | null {
    if (this.#count === 0) return null;
    // Nearest rank: p99 of a few samples is the greatest of them, never a lower one.
    const rank = Math.max(1, Math.ceil(Math.min(1, Math.max(0, q)) * this.#count));
    let seen = this.#zeros;
    if (seen >= rank) return 0;
    let last = 0;
    for (const [bin, times] of this.#filled()) {
      seen += times;
      last = valueOf(bin);
      if (seen >= rank) return last;
    }
    return last;
  }

  buckets(): { le: number; count: number }[] {
    const out: { le: number; count: number }[] = [];
    if (this.#count === 0) return out;
    let current = { le: 1, count: this.#zeros };
    out.push(current);
    for (const [bin, times] of this.#filled()) {
      while (valueOf(bin) > current.le) {
        current = { le: current.le * 2, count: 0 };
        out.push(current);
      }
      current.count += times;
    }
    return out;
  }

  /** Version byte, then varints: zeros, filled bins, and per bin the step from the last one and its count. */
  serialise(): Uint8Array {
    const filled = [...this.#filled()];
    const out: number[] = [FORMAT_VERSION];
    pushVarint(out, this.#zeros);
    pushVarint(out, filled.length);
    let previous = MIN_BIN - 1;
    for (const [bin, times] of filled) {
      pushVarint(out, bin - previous);
      pushVarint(out, times);
      previous = bin;
    }
    return Uint8Array.from(out);
  }

  *#filled(): Generator<[bin: number, times: number]> {
    for (let i = 0; i < this.#counts.length; i++) {
      const times = this.#counts[i] ?? 0;
      if (times > 0) yield [this.#first + i, times];
    }
  }

  #cover(from: number, to: number): void {
    const end = this.#first + this.#counts.length;
    if (this.#counts.length > 0 && from >= this.#first && to < end) return;
    const low = this.#counts.length === 0 ? from : Math.min(from, this.#first);
    const high = this.#counts.length === 0 ? to : Math.max(to, end - 1);
    const first = Math.max(MIN_BIN, Math.floor(low / GROWTH) * GROWTH);
    const last = Math.min(MAX_BIN, Math.ceil((high + 1) / GROWTH) * GROWTH - 1);
    const grown = new Float64Array(last - first + 1);
    if (this.#counts.length > 0) grown.set(this.#counts, this.#first - first);
    this.#counts = grown;
    this.#first = first;
  }
}

function parse(bytes: Uint8Array): LogSketch {
  if (bytes[0] !== FORMAT_VERSION) {
    throw corruptSketch(`its version is ${bytes[0] ?? 'missing'}, expected ${FORMAT_VERSION}`);
  }
  const reader = createVarintReader(bytes, 1);
  const sketch = new LogSketch();
  sketch.addZeros(reader.next());
  const bins = reader.next();
  let bin = MIN_BIN - 1;
  for (let i = 0; i < bins; i++) {
    const step = reader.next();
    const times = reader.next();
    bin += step;
    if (step === 0 || bin > MAX_BIN) throw corruptSketch('a bin is out of range or out of order');
    if (times === 0) throw corruptSketch('a listed bin is empty');
    sketch.addToBin(bin, times);
    if (sketch.count > Number.MAX_SAFE_INTEGER) throw corruptSketch('its counts are too large');
  }
  if (!reader.isAtEnd()) throw corruptSketch('bytes follow its end');
  return sketch;
}

/**
 * An empty sketch. Below 0.01 ms (and for negative durations, which clock skew makes) a value counts as
 * zero; above 10 days as 10 days. `buckets` blur by the relative error at their borders. `add` throws
 * RangeError for NaN.
 */
export const createSketch = (): Sketch => new LogSketch();

/** Reverse of `serialise`. Throws INTERNAL, naming what is wrong, for bytes that no sketch wrote. */
export const readSketch = (bytes: Uint8Array): Sketch => parse(bytes);
