import { CodedError } from './errors';

/**
 * Packed cells of a heatmap: one text for each column, so that a live map whose last column moves sends that column
 * and not the map. A column is a sequence of tokens from the top row down, each 18 bits in three characters of the
 * base64 alphabet, the most significant first:
 *
 *     0 eeeeee mmmmmmmmmmm   a value, 2^(e − 30) × (1 + m ÷ 2^11)
 *     1 0 cccccccccccccccc   c + 1 rows that are 0
 *     1 1 cccccccccccccccc   c + 1 rows that are not known
 *
 * The error of a value is at most 2^−12 (0.025 %), whole numbers up to 4,096 are exact, and what lies outside of
 * 1e-9…1.7e10 becomes the nearest that can be told; a value is never packed as 0 or as not known. Unlike bytes in base64
 * this needs no second step, and a value is the upper part of a float32: packing and unpacking are shifts.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CHARACTERS = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
/** Beyond every token: a character that is none of the alphabet. */
const NO_TOKEN = 1 << 24;
const digitsAt = (shift: number): Uint32Array =>
  Uint32Array.from({ length: 256 }, (_, code) => {
    const digit = CHARACTERS.indexOf(code);
    return digit < 0 ? NO_TOKEN : digit << shift;
  });
const HIGH = digitsAt(12);
const MIDDLE = digitsAt(6);
const LOW = digitsAt(0);

const TOKEN_LENGTH = 3;
const RUN = 1 << 17;
const RUN_OF_UNKNOWN = 1 << 16;
const LONGEST_RUN = 1 << 16;
/** Lower bits of a float32's fraction that are dropped. */
const DROPPED_BITS = 12;
const HALF_OF_DROPPED = 1 << (DROPPED_BITS - 1);
/** The float32 of 2^−30, the smallest value, without its dropped bits. */
const SMALLEST = (127 - 30) << 11;
const GREATEST_CODE = RUN - 1;
const UNKNOWN_BITS = 0x7fc00000;

export interface HeatColumnCells {
  /** Row after row; NaN = not known, below 0 counts as 0. */
  cells: Float64Array;
  rows: number;
  /** Columns of a row. */
  columns: number;
}

/** Packs the columns of one map one by one, sharing what that needs. */
export function createHeatPacker({ cells, rows, columns }: HeatColumnCells) {
  const bytes = new Uint8Array(rows * TOKEN_LENGTH);
  const asFloat = new Float32Array(1);
  const asBits = new Uint32Array(asFloat.buffer);
  const decoder = new TextDecoder();
  let length = 0;

  const push = (token: number): void => {
    bytes[length] = CHARACTERS[token >> 12] ?? 0;
    bytes[length + 1] = CHARACTERS[(token >> 6) & 63] ?? 0;
    bytes[length + 2] = CHARACTERS[token & 63] ?? 0;
    length += TOKEN_LENGTH;
  };
  const pushRun = (kind: number, count: number): void => {
    for (let left = count; left > 0; left -= LONGEST_RUN) {
      push(RUN | kind | (Math.min(left, LONGEST_RUN) - 1));
    }
  };
  const codeOf = (value: number): number => {
    asFloat[0] = value;
    const rounded = ((asBits[0] ?? 0) + HALF_OF_DROPPED) >>> DROPPED_BITS;
    return Math.min(GREATEST_CODE, Math.max(0, rounded - SMALLEST));
  };

  return (column: number): string => {
    length = 0;
    let run = 0;
    let kind = 0;
    for (let row = 0, at = column; row < rows; row++, at += columns) {
      const value = cells[at] ?? Number.NaN;
      if (value > 0) {
        if (run > 0) pushRun(kind, run);
        run = 0;
        push(codeOf(value));
        continue;
      }
      const next = Number.isNaN(value) ? RUN_OF_UNKNOWN : 0;
      if (run > 0 && next !== kind) {
        pushRun(kind, run);
        run = 0;
      }
      kind = next;
      run++;
    }
    if (run > 0) pushRun(kind, run);
    return decoder.decode(bytes.subarray(0, length));
  };
}

const notPacked = (column: number, why: string): CodedError =>
  new CodedError('INTERNAL', `Column ${column} of the heatmap cannot be read: ${why}.`);

const tokenAt = (bytes: Uint8Array, at: number): number =>
  (HIGH[bytes[at] ?? 0] ?? NO_TOKEN) |
  (MIDDLE[bytes[at + 1] ?? 0] ?? NO_TOKEN) |
  (LOW[bytes[at + 2] ?? 0] ?? NO_TOKEN);

/**
 * The cells of packed columns row after row, `rows × packed.length`; NaN = not known. Throws INTERNAL for a text that
 * {@link createHeatPacker} did not make.
 */
export function unpackHeatCells(packed: readonly string[], rows: number): Float32Array {
  const columns = packed.length;
  const cells = new Float32Array(rows * columns);
  const bits = new Uint32Array(cells.buffer);
  const bytes = new Uint8Array(packed.reduce((most, { length }) => Math.max(most, length), 0));
  const encoder = new TextEncoder();
  for (const [column, text] of packed.entries()) {
    const { read, written } = encoder.encodeInto(text, bytes);
    if (read < text.length || written % TOKEN_LENGTH !== 0) {
      throw notPacked(column, 'its length does not fit');
    }
    let row = 0;
    for (let at = 0; at < written; at += TOKEN_LENGTH) {
      const token = tokenAt(bytes, at);
      if (token < RUN) {
        if (row < rows) bits[row * columns + column] = (token + SMALLEST) << DROPPED_BITS;
        row++;
        continue;
      }
      if (token >= NO_TOKEN) throw notPacked(column, 'a character is none of its own');
      const end = row + (token & (LONGEST_RUN - 1)) + 1;
      const unknownTo = token & RUN_OF_UNKNOWN ? Math.min(end, rows) : row;
      for (; row < unknownTo; row++) bits[row * columns + column] = UNKNOWN_BITS;
      row = end;
    }
    if (row !== rows) throw notPacked(column, `it has ${row} rows, expected ${rows}`);
  }
  return cells;
}
