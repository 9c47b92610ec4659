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

/** Reads what {@link pushVarint} wrote; arithmetic, because bit operations stop at 32. Throws INTERNAL. */
export function createVarintReader(bytes: Uint8Array, start: number) {
  let offset = start;
  return {
    next(): number {
      let value = 0;
      let scale = 1;
      for (;;) {
        const byte = bytes[offset];
        if (byte === undefined) throw corruptSketch('it ends in the middle of a number');
        offset += 1;
        value += (byte % 0x80) * scale;
        if (value > Number.MAX_SAFE_INTEGER) throw corruptSketch('a number is too large');
        if (byte < 0x80) return value;
        scale *= 0x80;
        if (scale > Number.MAX_SAFE_INTEGER) throw corruptSketch('a number is too long');
      }
    },
    isAtEnd: (): boolean => offset === bytes.length,
  };
}
