import type { Sketch } from './analysis-contract';
import { corruptSketch, pushVarint, VarintReader } from './sketch-bytes';

/**
 * So many bins from one power of two to the next: the relative error of a quantile is (γ − 1) / (γ + 1) = 0.495 %, half of
 * the 1 % that is promised, as times are whole milliseconds besides. Powers of two are borders of bins, so that the
 * display buckets are exact.
 */
const BINS_PER_OCTAVE = 70;
const GAMMA = 2 ** (1 / BINS_PER_OCTAVE);
const MIN_MS = 0.01;
const MAX_MS = 10 * 24 * 60 * 60 * 1000;
const MIN_BIN = binOf(MIN_MS);
const MAX_BIN = binOf(MAX_MS);
/** The window of bins grows in steps: most sketches of one class cover a narrow range. */
const GROWTH = 64;

const FORMAT_VERSION = 2;

/** Bin `i` holds the values in (γ^(i−1), γ^i]. */
function binOf(value: number): number {
  return Math.ceil(Math.log2(value) * BINS_PER_OCTAVE);
}

/** The value within the relative error of everything in the bin. */
function valueOf(bin: number): number {
  return (2 * GAMMA ** bin) / (GAMMA + 1);
}

/** What the bytes of a sketch were found to hold. */
interface Checked {
  bytes: Uint8Array;
  count: number;
  /** The lowest and the highest bin; null = none is filled. */
  range: { low: number; high: number } | null;
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
    this.#count += 1;
    if (value < MIN_MS) {
      this.#zeros += 1;
      return;
    }
    const bin = binOf(Math.min(value, MAX_MS));
    this.#cover(bin, bin);
    const at = bin - this.#first;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** Adds what {@link check} let pass. */
  addChecked({ bytes, count, range }: Checked): void {
    const reader = new VarintReader(bytes, 1);
    this.#count += count;
    this.#zeros += reader.next();
    if (!range) return;
    this.#cover(range.low, range.high);
    const counts = this.#counts;
    let at = MIN_BIN - 1 - this.#first;
    for (let left = reader.next(); left > 0; left--) {
      at += reader.next();
      counts[at] = (counts[at] ?? 0) + reader.next();
    }
  }

  merge(other: Sketch): void {
    const from = #counts in other ? other : fromChecked(check(other.serialise()));
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
    let at = -1;
    while (seen < rank && ++at < this.#counts.length) seen += this.#counts[at] ?? 0;
    return valueOf(this.#first + at);
  }

  buckets(): { le: number; count: number }[] {
    const out: { le: number; count: number }[] = [];
    if (this.#count === 0) return out;
    let current = { le: 1, count: this.#zeros };
    out.push(current);
    for (const [bin, times] of this.#filled()) {
      while (bin > Math.log2(current.le) * BINS_PER_OCTAVE) {
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
    return new Uint8Array(out);
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

/** Reads the whole of it before anything is added. Throws INTERNAL for bytes that no sketch wrote. */
function check(bytes: Uint8Array): Checked {
  if (bytes[0] !== FORMAT_VERSION) {
    throw corruptSketch(`its version is ${bytes[0] ?? 'missing'}, expected ${FORMAT_VERSION}`);
  }
  const reader = new VarintReader(bytes, 1);
  let count = reader.next();
  const filled = reader.next();
  let low = 0;
  let bin = MIN_BIN - 1;
  for (let i = 0; i < filled; i++) {
    const step = reader.next();
    const times = reader.next();
    bin += step;
    count += times;
    if (step === 0 || bin > MAX_BIN) throw corruptSketch('a bin is out of range or out of order');
    if (times === 0) throw corruptSketch('a listed bin is empty');
    if (count > Number.MAX_SAFE_INTEGER) throw corruptSketch('its counts are too large');
    if (i === 0) low = bin;
  }
  if (!reader.isAtEnd) throw corruptSketch('bytes follow its end');
  return { bytes, count, range: filled === 0 ? null : { low, high: bin } };
}

function fromChecked(checked: Checked): LogSketch {
  const sketch = new LogSketch();
  sketch.addChecked(checked);
  return sketch;
}

/**
 * An empty sketch. Below 0.01 ms (and for negative durations, which clock skew makes) a value counts as
 * zero; above 10 days as 10 days. `add` throws
 * RangeError for NaN.
 */
export const createSketch = (): Sketch => new LogSketch();

/** Reverse of `serialise`. Throws INTERNAL, naming what is wrong, for bytes that no sketch wrote. */
export const readSketch = (bytes: Uint8Array): Sketch => fromChecked(check(bytes));

/** Merges what `serialise` wrote into each of `sketches`. Throws INTERNAL as {@link readSketch}, and adds nothing then. */
export function mergeBytes(bytes: Uint8Array, sketches: readonly Sketch[]): void {
  const checked = check(bytes);
  for (const sketch of sketches) {
    if (sketch instanceof LogSketch) sketch.addChecked(checked);
    else sketch.merge(fromChecked(checked));
  }
}
