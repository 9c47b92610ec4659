import { CodedError } from '@/lib/protocol/errors';

/** Bytes that no sketch wrote: the store is damaged or of another program. */
export function corruptSketch(why: string): CodedError {
  return new CodedError('INTERNAL', `A stored sketch cannot be read: ${why}.`);
}

/** Appends a whole number up to 2^53 − 1 as LEB128. */
export function pushVarint(out: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  out.push(rest);
}

/** Reads what {@link pushVarint} wrote; arithmetic, because bit operations stop at 32. */
export class VarintReader {
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
