import type { Sketch } from './analysis-contract';
import { BinCursor, BinWriter, check, type Checked } from './sketch-bytes';
import { binOf, BINS_PER_OCTAVE, MAX_BIN, MAX_MS, MIN_BIN, MIN_MS, valueOf } from './sketch-scale';

/** The window of bins grows in steps: most sketches of one class cover a narrow range. */
const GROWTH = 64;

class LogSketch implements Sketch {
  #count = 0;
  #zeros = 0;
  /** `#counts[i]` is bin `#first + i`. */
  #counts: number[] = [];
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
  addChecked(checked: Checked): void {
    const { count, range } = checked;
    const cursor = new BinCursor(checked);
    this.#count += count;
    this.#zeros += cursor.zeros;
    if (!range) return;
    this.#cover(range.low, range.high);
    const [counts, first] = [this.#counts, this.#first];
    for (; cursor.bin !== Infinity; cursor.next()) {
      const at = cursor.bin - first;
      counts[at] = (counts[at] ?? 0) + cursor.times;
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

  above(value: number): number {
    if (value < MIN_MS) return this.#count - this.#zeros;
    const from = Math.max(0, binOf(Math.min(value, MAX_MS)) + 1 - this.#first);
    let above = 0;
    for (let i = from; i < this.#counts.length; i++) above += this.#counts[i] ?? 0;
    return above;
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

  serialise(): Uint8Array {
    const writer = new BinWriter();
    const { length } = this.#counts;
    for (let i = 0; i < length; i++) {
      const times = this.#counts[i] ?? 0;
      if (times > 0) writer.add(this.#first + i, times);
    }
    return writer.bytes(this.#zeros);
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
    const grown = Array<number>(last - first + 1).fill(0);
    const shift = this.#first - first;
    for (let i = 0; i < this.#counts.length; i++) grown[shift + i] = this.#counts[i] ?? 0;
    this.#counts = grown;
    this.#first = first;
  }
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

/**
 * What two sketches together serialise to. Of small ones much cheaper than to unfold them. Throws INTERNAL as
 * {@link readSketch}.
 */
export function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const [one, other] = [new BinCursor(check(a)), new BinCursor(check(b))];
  const writer = new BinWriter();
  for (;;) {
    const bin = Math.min(one.bin, other.bin);
    if (bin === Infinity) return writer.bytes(one.zeros + other.zeros);
    const isInBoth = one.bin === other.bin;
    const from = one.bin === bin ? one : other;
    writer.add(bin, isInBoth ? one.times + other.times : from.times);
    from.next();
    if (isInBoth) other.next();
  }
}
