import type { Sketch } from '@/lib/analysis/analysis-contract';
import { joinBytes, mergeBytes, readSketch } from '@/lib/analysis/sketch';
import { corruptPage, decodeBlock, encodeBlock, toFloats } from './column-block';

const ID = 0;
const KIND = 1;
const END = 2;
const HEAP = 3;

const AT_ONCE = 100;
/** Longer ones are unfolded, to which more is added at less cost. */
const JOINED_BYTES = 512;

export interface SketchPage {
  /** The distributions of one kind (position in `SKETCH_KINDS`): serialised sketches by series. */
  ofKind: (kind: number) => Generator<{ id: number; bytes: Uint8Array }>;
  readonly kinds: ReadonlySet<number>;
}

/** Throws INTERNAL for bytes that no {@link SketchTable} wrote. */
export function decodeSketches(stored: Uint8Array): SketchPage {
  const block = decodeBlock(stored, 'sketches');
  const [ids, ends, heap] = [block.ids(ID), block.ids(END), block.bytes(HEAP)];
  const kinds = block.column(KIND, false)?.values ?? new Uint8Array(block.rows);
  if (ids.length !== block.rows || ends.length !== block.rows) {
    throw corruptPage('sketches without a series or an end');
  }
  return {
    kinds: new Set(kinds),
    *ofKind(kind) {
      for (let i = 0; i < ids.length; i++) {
        if (kinds[i] !== kind) continue;
        const [from, to] = [i === 0 ? 0 : (ends[i - 1] ?? 0), ends[i] ?? 0];
        if (from > to || to > heap.length) throw corruptPage('a sketch lies outside of it');
        yield { id: ids[i] ?? 0, bytes: heap.subarray(from, to) };
      }
    },
  };
}

/** Distributions of many series in one step, to be added to. */
export class SketchTable {
  /** By kind and series; as bytes while it is small. */
  readonly #kinds = new Map<number, Map<number, Uint8Array | Sketch>>();

  add(kind: number, id: number, bytes: Uint8Array): void {
    let ofKind = this.#kinds.get(kind);
    if (!ofKind) this.#kinds.set(kind, (ofKind = new Map()));
    const known = ofKind.get(id);
    if (known === undefined) {
      ofKind.set(id, bytes);
      return;
    }
    if (!(known instanceof Uint8Array)) mergeBytes(bytes, [known]);
    else if (known.length + bytes.length <= JOINED_BYTES) ofKind.set(id, joinBytes(known, bytes));
    else {
      const sketch = readSketch(known);
      mergeBytes(bytes, [sketch]);
      ofKind.set(id, sketch);
    }
  }

  /** Serialised; undefined = empty. */
  of(kind: number, id: number): Uint8Array | undefined {
    const known = this.#kinds.get(kind)?.get(id);
    return known instanceof Uint8Array ? known : known?.serialise();
  }

  /** Removes the sketches of all series but those that `isKept`, in turns as {@link settle}. */
  *retain(isKept: (id: number) => boolean): Generator<void> {
    let seen = 0;
    for (const ofKind of this.#kinds.values()) {
      for (const id of ofKind.keys()) {
        if (!isKept(id)) ofKind.delete(id);
        if (++seen % AT_ONCE === 0) yield;
      }
    }
  }

  /** Serialises what was merged, a little between two `yield`s, so that {@link encode} only joins bytes. */
  *settle(): Generator<void> {
    let settled = 0;
    for (const ofKind of this.#kinds.values()) {
      for (const [id, sketch] of ofKind) {
        if (sketch instanceof Uint8Array) continue;
        ofKind.set(id, sketch.serialise());
        if (++settled % AT_ONCE === 0) yield;
      }
    }
  }

  /** By kind and ascending id. Null where there are none. */
  encode(): Uint8Array | null {
    const rows: { kind: number; id: number; bytes: Uint8Array }[] = [];
    for (const [kind, ofKind] of [...this.#kinds].sort(([a], [b]) => a - b)) {
      for (const id of Uint32Array.from(ofKind.keys()).sort()) {
        const bytes = this.of(kind, id);
        if (bytes) rows.push({ kind, id, bytes });
      }
    }
    if (rows.length === 0) return null;
    const ends = new Uint32Array(rows.length);
    let end = 0;
    for (const [i, { bytes }] of rows.entries()) ends[i] = end += bytes.length;
    return encodeBlock({
      shape: 'sketches',
      rows: rows.length,
      bound: 0,
      columns: [
        { id: ID, ids: Uint32Array.from(rows, ({ id }) => id) },
        { id: KIND, values: toFloats(rows.map(({ kind }) => kind)), nullable: false },
        { id: END, ids: ends },
        {
          id: HEAP,
          bytes: Buffer.concat(
            rows.map(({ bytes }) => bytes),
            end,
          ),
        },
      ],
    });
  }
}
