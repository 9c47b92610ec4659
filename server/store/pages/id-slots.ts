import { corruptPage } from './column-block';

/** Knuth's multiplicative hashing: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;
const LEAST = 64;

/** Numbers the ids that it is given 0, 1, 2 …: a hash table in typed arrays, as a page has thousands of ids. */
export class IdSlots {
  /** Zero = free: ids begin at 1. */
  #keys = new Uint32Array(LEAST);
  #slots = new Int32Array(LEAST);
  #ids = new Uint32Array(LEAST / 2);
  #shift = 32 - Math.log2(LEAST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The ids in the order of their slots. */
  get ids(): Uint32Array {
    return this.#ids.subarray(0, this.#size);
  }

  /** −1 = not there. */
  find(id: number): number {
    const at = this.#placeOf(id);
    return this.#keys[at] === 0 ? -1 : (this.#slots[at] ?? -1);
  }

  /** The slot of an id, a new one where it was not there. Throws INTERNAL for what is no id. */
  of(id: number): number {
    const at = this.#placeOf(id);
    if (this.#keys[at] !== 0) return this.#slots[at] ?? -1;
    if (!(id >= 1 && id < 2 ** 32)) throw corruptPage(`${id} is no id`);
    if (this.#size === this.#ids.length) {
      this.#grow();
      return this.of(id);
    }
    const slot = this.#size++;
    this.#keys[at] = id;
    this.#slots[at] = slot;
    this.#ids[slot] = id;
    return slot;
  }

  #placeOf(id: number): number {
    const mask = this.#keys.length - 1;
    let at = Math.imul(id, SPREAD) >>> this.#shift;
    for (;;) {
      const key = this.#keys[at];
      if (key === id || key === 0) return at;
      at = (at + 1) & mask;
    }
  }

  #grow(): void {
    const ids = this.ids;
    const length = this.#keys.length * 2;
    this.#keys = new Uint32Array(length);
    this.#slots = new Int32Array(length);
    this.#ids = new Uint32Array(length / 2);
    this.#shift -= 1;
    this.#ids.set(ids);
    for (const [slot, id] of ids.entries()) {
      const at = this.#placeOf(id);
      this.#keys[at] = id;
      this.#slots[at] = slot;
    }
  }
}
