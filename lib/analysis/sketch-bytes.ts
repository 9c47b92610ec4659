import { CodedError } from '@/lib/protocol/errors';
import { MAX_BIN, MIN_BIN } from './sketch-scale';

const FORMAT_VERSION = 2;

/** Bytes that no sketch wrote: the store is damaged or of another program. */
function corruptSketch(why: string): CodedError {
  return new CodedError('INTERNAL', `A stored sketch cannot be read: ${why}.`);
}

/** Appends a whole number up to 2^53 − 1 as LEB128. */
function pushVarint(out: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  out.push(rest);
}

/** Reads what {@link pushVarint} wrote; arithmetic, because bit operations stop at 32. */
class VarintReader {
  readonly #bytes: Uint8Array;
  #offset: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#offset = start;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  /** Throws INTERNAL. */
  next(): number {
    const byte = this.#bytes[this.#offset];
    if (byte === undefined || byte >= 0x80) return this.#long();
    this.#offset += 1;
    return byte;
  }

  #long(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) throw corruptSketch('it ends in the middle of a number');
      this.#offset += 1;
      value += (byte % 0x80) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw corruptSketch('a number is too large');
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > Number.MAX_SAFE_INTEGER) throw corruptSketch('a number is too long');
    }
  }
}

/** What the bytes of a sketch were found to hold. */
export interface Checked {
  bytes: Uint8Array;
  count: number;
  /** The lowest and the highest bin; null = none is filled. */
  range: { low: number; high: number } | null;
}

/** Reads the whole of it before anything is added. Throws INTERNAL for bytes that no sketch wrote. */
export function check(bytes: Uint8Array): Checked {
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

/** Writes a version byte, then varints: zeros, filled bins, and per bin the step from the last one and its count. */
export class BinWriter {
  readonly #body: number[] = [];
  #filled = 0;
  #last = MIN_BIN - 1;

  /** Bins in ascending order. */
  add(bin: number, times: number): void {
    pushVarint(this.#body, bin - this.#last);
    pushVarint(this.#body, times);
    this.#last = bin;
    this.#filled += 1;
  }

  bytes(zeros: number): Uint8Array {
    const head: number[] = [FORMAT_VERSION];
    pushVarint(head, zeros);
    pushVarint(head, this.#filled);
    const bytes = new Uint8Array(head.length + this.#body.length);
    bytes.set(head);
    bytes.set(this.#body, head.length);
    return bytes;
  }
}

/** Goes through the filled bins of a sketch that was checked. */
export class BinCursor {
  readonly #reader: VarintReader;
  #left: number;
  readonly zeros: number;
  /** Infinity behind the last. */
  bin = MIN_BIN - 1;
  times = 0;

  constructor({ bytes }: Checked) {
    this.#reader = new VarintReader(bytes, 1);
    this.zeros = this.#reader.next();
    this.#left = this.#reader.next();
    this.next();
  }

  next(): void {
    if (this.#left === 0) {
      this.bin = Infinity;
      return;
    }
    this.#left -= 1;
    this.bin += this.#reader.next();
    this.times = this.#reader.next();
  }
}
