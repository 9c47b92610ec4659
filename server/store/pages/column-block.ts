import { CodedError } from '@/lib/protocol/errors';

/**
 * Columns in one blob, so that one of them is read without a look at the others. Little-endian, as every
 * machine that Node is built for but IBM Z.
 *
 *     u8 version · u8 shape · u16 columns · u32 rows · f64 bound
 *     per column: u8 id · u8 type · u16 0 · u32 offset · u32 bytes
 *     the columns, each at a multiple of 8: decoding is a view and no copy
 *
 * Numbers take the narrowest type that holds all of a column; a column of nothing but its empty value (0, or
 * null where it may be null) is left out.
 */
const VERSION = 1;
const HEADER_BYTES = 16;
const ENTRY_BYTES = 12;

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** What a blob is of. Positions are stored: append only. */
const SHAPES = ['sums', 'sketches', 'blame'] as const;
export type Shape = (typeof SHAPES)[number];

const TYPES = [
  { width: 1, view: Uint8Array },
  { width: 2, view: Uint16Array },
  { width: 4, view: Uint32Array },
  { width: 8, view: Float64Array },
] as const;
const FLOAT = 3;

/** One column on its way into a blob. */
export type NewColumn = { id: number } & (
  | { bytes: Uint8Array }
  /** NaN = null. */
  | { values: Float64Array; nullable: boolean }
  /** Kept although it is empty, in 32 bits: ids. */
  | { ids: Uint32Array }
);

export interface Column {
  values: Numbers;
  /** What stands for null. NaN equals nothing: where it is NaN, compare a value with itself. */
  none: number;
}

export interface Block {
  readonly rows: number;
  /** See `lib/analysis/heaviest`: what a row that was left out has weighed at most. */
  readonly bound: number;
  /** Null = all rows have the column's empty value. */
  column: (id: number, nullable: boolean) => Column | null;
  /** Throws INTERNAL where the ids are not there. */
  ids: (id: number) => Uint32Array;
  bytes: (id: number) => Uint8Array;
}

export const corruptPage = (why: string): CodedError =>
  new CodedError('INTERNAL', `A stored page of history cannot be read: ${why}.`);

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

export function encodeBlock(block: {
  shape: Shape;
  rows: number;
  bound: number;
  columns: readonly NewColumn[];
}): Uint8Array {
  const columns = block.columns.map(packed).filter((column) => column !== null);
  let end = HEADER_BYTES + columns.length * ENTRY_BYTES;
  const placed = columns.map((column) => {
    const offset = aligned(end);
    end = offset + column.data.byteLength;
    return { ...column, offset };
  });
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, SHAPES.indexOf(block.shape));
  view.setUint16(2, columns.length, true);
  view.setUint32(4, block.rows, true);
  view.setFloat64(8, block.bound, true);
  for (const [i, { id, type, offset, data }] of placed.entries()) {
    const entry = HEADER_BYTES + i * ENTRY_BYTES;
    view.setUint8(entry, id);
    view.setUint8(entry + 1, type);
    view.setUint32(entry + 4, offset, true);
    view.setUint32(entry + 8, data.byteLength, true);
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
  }
  return bytes;
}

interface Packed {
  id: number;
  type: number;
  data: Numbers;
}

function packed(column: NewColumn): Packed | null {
  const { id } = column;
  if ('bytes' in column) return { id, type: 0, data: column.bytes };
  if ('ids' in column) return { id, type: 2, data: column.ids };
  const { values, nullable } = column;
  const type = narrowest(values, nullable);
  if (type === null) return null;
  if (type === FLOAT) return { id, type, data: values };
  const { view, width } = TYPES[type] ?? TYPES[FLOAT];
  const data = new view(values.length);
  const none = noneOf(width, nullable);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    data[i] = Number.isNaN(value) ? none : value;
  }
  return { id, type, data };
}

/** Null = nothing but the empty value. */
function narrowest(values: Float64Array, nullable: boolean): number | null {
  let most = 0;
  let isEmpty = true;
  for (const value of values) {
    if (Number.isNaN(value) && nullable) continue;
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) return FLOAT;
    if (value > most) most = value;
    if (nullable || value !== 0) isEmpty = false;
  }
  if (isEmpty) return null;
  // The greatest value of the type stands for null.
  const room = nullable ? most + 1 : most;
  return room < 2 ** 8 ? 0 : room < 2 ** 16 ? 1 : room < 2 ** 32 ? 2 : FLOAT;
}

const noneOf = (width: number, nullable: boolean): number =>
  nullable && width < 8 ? 2 ** (8 * width) - 1 : Number.NaN;

interface Entry {
  type: number;
  offset: number;
  length: number;
}

/** Throws INTERNAL, naming what is wrong, for bytes that {@link encodeBlock} did not write. */
export function decodeBlock(stored: Uint8Array, shape: Shape): Block {
  const bytes = inPlace(stored);
  if (bytes.length < HEADER_BYTES) throw corruptPage('it is shorter than its head');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint8(0) !== VERSION) {
    throw corruptPage(`its version is ${view.getUint8(0)}, expected ${VERSION}`);
  }
  if (SHAPES[view.getUint8(1)] !== shape) throw corruptPage(`it is no page of ${shape}`);
  const rows = view.getUint32(4, true);
  const entries = entriesIn(view);

  function column(id: number, nullable: boolean): Column | null {
    const entry = entries.get(id);
    if (!entry) return null;
    const { width } = TYPES[entry.type] ?? TYPES[FLOAT];
    if (entry.length !== rows * width) throw corruptPage(`column ${id} has not ${rows} rows`);
    return { values: numbersAt(bytes, entry), none: noneOf(width, nullable) };
  }

  return {
    rows,
    bound: view.getFloat64(8, true),
    column,
    ids: (id) => {
      const entry = entries.get(id);
      const values = entry && numbersAt(bytes, entry);
      if (values instanceof Uint32Array) return values;
      if (!entry) return new Uint32Array(0);
      throw corruptPage(`column ${id} is not of 32 bits`);
    },
    bytes: (id) => {
      const entry = entries.get(id);
      return entry ? bytes.subarray(entry.offset, entry.offset + entry.length) : new Uint8Array(0);
    },
  };
}

/** A view of 64-bit numbers must begin at a multiple of 8; some drivers hand out slices of a larger buffer. */
function inPlace(stored: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = stored;
  const isAligned = byteOffset % 8 === 0 && buffer instanceof ArrayBuffer;
  return isAligned ? new Uint8Array(buffer, byteOffset, length) : new Uint8Array(stored);
}

function entriesIn(view: DataView): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  const columns = view.getUint16(2, true);
  const first = HEADER_BYTES + columns * ENTRY_BYTES;
  if (first > view.byteLength) throw corruptPage('it ends within its list of columns');
  for (let i = 0; i < columns; i++) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const entry = {
      type: view.getUint8(at + 1),
      offset: view.getUint32(at + 4, true),
      length: view.getUint32(at + 8, true),
    };
    const width = TYPES[entry.type]?.width;
    if (width === undefined) throw corruptPage(`type ${entry.type} of a column is not known`);
    if (entry.offset % 8 !== 0 || entry.offset < first || entry.length % width !== 0) {
      throw corruptPage('a column is not where it can be');
    }
    if (entry.offset + entry.length > view.byteLength) throw corruptPage('a column is cut short');
    entries.set(view.getUint8(at), entry);
  }
  return entries;
}

function numbersAt(bytes: Uint8Array<ArrayBuffer>, { type, offset, length }: Entry): Numbers {
  const { view, width } = TYPES[type] ?? TYPES[FLOAT];
  return new view(bytes.buffer, bytes.byteOffset + offset, length / width);
}

/** Narrowed already: columns of small numbers such as positions. */
export const toFloats = (values: ArrayLike<number>): Float64Array => Float64Array.from(values);
