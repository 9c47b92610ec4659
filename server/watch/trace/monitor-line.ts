import type { Bytes } from '@/lib/protocol/bytes';

/** A line of MONITOR up to its first argument: `1796021214.481849 [0 127.0.0.1:43074] "set" …`. */
export interface LineHead {
  /** Redis's clock, epoch ms. */
  at: number;
  db: number;
  /** The client's address, or `lua` for what a script does. */
  from: string;
  /** Where the first argument's quote stands. */
  start: number;
}

/** Null when the line is not of MONITOR. */
export function readHead(line: string): LineHead | null {
  const bracket = line.indexOf(' [');
  const space = line.indexOf(' ', bracket + 2);
  // An IPv6 address has brackets of its own, so the end is where the first quote begins.
  const end = line.indexOf('] "', space);
  if (bracket < 1 || space < 0 || end < 0) return null;
  const at = 1000 * Number(line.slice(0, bracket));
  const db = Number(line.slice(bracket + 2, space));
  if (!Number.isFinite(at) || !Number.isInteger(db)) return null;
  return { at, db, from: line.slice(space + 1, end), start: end + 2 };
}

const SIMPLE: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

/** Undoes Redis's escaping (`sdscatrepr`): `\xHH`, `\n`, `\r`, `\t`, `\a`, `\b`, `\"` and `\\`. */
function unescape(text: string): Bytes {
  return text.replace(/\\(?:x([0-9a-f]{2})|([^]))/g, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (SIMPLE[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The quote that ends the argument which begins at `start`; -1 when the line was cut before it. */
function endOfArgument(line: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote < 0) return -1;
    let slashes = quote - 1;
    while (slashes > start && line.charCodeAt(slashes) === 0x5c) slashes--;
    // A quote after an even number of backslashes is not escaped.
    if ((quote - 1 - slashes) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Reads a line's arguments one after the other, and no more of them than are asked for. */
export class Arguments {
  readonly #line: string;
  #at: number;

  constructor(line: string, start: number) {
    this.#line = line;
    this.#at = start;
  }

  /** Null at the end of the line, and where the line was cut. */
  next(): Bytes | null {
    if (this.#line.charCodeAt(this.#at) !== 0x22) return null;
    const end = endOfArgument(this.#line, this.#at);
    if (end < 0) {
      this.#at = this.#line.length;
      return null;
    }
    const text = this.#line.slice(this.#at + 1, end);
    this.#at = end + 2;
    return text.includes('\\') ? unescape(text) : text;
  }

  /** All that are left, at most `most`. */
  rest(most: number): Bytes[] {
    const all: Bytes[] = [];
    for (let next = this.next(); next !== null && all.length < most; next = this.next()) {
      all.push(next);
    }
    return all;
  }
}
