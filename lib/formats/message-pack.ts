import type { Bytes } from '@/lib/protocol/bytes';

/** What is read of MessagePack: numbers, strings and bytes (both as binary strings), and lists of them. */
export type Packed = number | Bytes | Packed[];

/** A lock's value nests two deep; more is somebody else's data. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 256;

/** Thrown inside only: the bytes are not what is read here. */
class Unreadable extends Error {}

class Reader {
  readonly #view: DataView;
  readonly #bytes: Bytes;
  #at = 0;
  #items = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(new ArrayBuffer(bytes.length));
    for (let i = 0; i < bytes.length; i++) this.#view.setUint8(i, bytes.charCodeAt(i));
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** One value, by its first byte (MessagePack specification, "Formats"). */
  value(depth: number): Packed {
    this.#items++;
    if (depth > MAX_DEPTH || this.#items > MAX_ITEMS) throw new Unreadable();
    const head = this.#unsigned(1);
    if (head < 0x80) return head;
    if (head >= 0xa0 && head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0x90 && head < 0xa0) return this.#list(head & 0x0f, depth);
    return this.#sized(head, depth);
  }

  #sized(head: number, depth: number): Packed {
    switch (head) {
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (head - 0xcc));
      case 0xcf:
        return Number(this.#view.getBigUint64(this.#skip(8)));
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#text(this.#unsigned(1 << (head - 0xc4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(2 << (head - 0xdc)), depth);
      default:
        throw new Unreadable();
    }
  }

  /** Where `size` bytes begin that are taken. */
  #skip(size: number): number {
    const from = this.#at;
    if (from + size > this.#bytes.length) throw new Unreadable();
    this.#at += size;
    return from;
  }

  #unsigned(size: number): number {
    const from = this.#skip(size);
    if (size === 1) return this.#view.getUint8(from);
    return size === 2 ? this.#view.getUint16(from) : this.#view.getUint32(from);
  }

  #text(size: number): Bytes {
    const from = this.#skip(size);
    return this.#bytes.slice(from, this.#at);
  }

  #list(size: number, depth: number): Packed[] {
    if (size > MAX_ITEMS) throw new Unreadable();
    return Array.from({ length: size }, () => this.value(depth + 1));
  }
}

/**
 * The value that the bytes are in MessagePack, the whole of them. Null for what is not, and for maps, truth
 * values, extensions and signed whole numbers, which no lock's value has. Bounded in depth and number.
 */
export function readMessagePack(bytes: Bytes): Packed | null {
  const reader = new Reader(bytes);
  try {
    const value = reader.value(1);
    return reader.isAtEnd ? value : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
