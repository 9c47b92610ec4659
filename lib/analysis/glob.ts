import type { Bytes } from '@/lib/protocol/bytes';

const SPECIAL = /[\\*?[\]^-]/g;

/** `text` as a glob that matches exactly itself (Redis's `stringmatchlen`). */
export function escapeGlob(text: Bytes): Bytes {
  return text.replace(SPECIAL, '\\$&');
}

/** The literal bytes that every match begins with, and whether that is the whole pattern. */
export function globHead(pattern: Bytes): { head: Bytes; isLiteral: boolean } {
  let head = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '*' || char === '?' || char === '[') return { head, isLiteral: false };
    if (char === '\\' && i + 1 < pattern.length) i++;
    head += pattern.charAt(i);
  }
  return { head, isLiteral: true };
}

const hex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Reads a class that begins after `[` at `start`; Redis lets the pattern's end close it. */
function classSource(pattern: Bytes, start: number): { source: string; next: number } {
  let at = start;
  const negated = pattern.charAt(at) === '^';
  if (negated) at++;
  let body = '';
  while (at < pattern.length && pattern.charAt(at) !== ']') {
    if (pattern.charAt(at) === '\\' && at + 1 < pattern.length) {
      body += hex(pattern.charAt(at + 1));
      at += 2;
    } else if (pattern.charAt(at + 1) === '-' && at + 2 < pattern.length) {
      const bounds = [pattern.charAt(at), pattern.charAt(at + 2)].sort();
      body += bounds.map(hex).join('-');
      at += 3;
    } else {
      body += hex(pattern.charAt(at));
      at++;
    }
  }
  const source = body === '' ? (negated ? '[^]' : '[]') : `[${negated ? '^' : ''}${body}]`;
  return { source, next: at + 1 };
}

/** What matches one byte: a literal, or the source of a regular expression. */
interface OneByte {
  literal: Bytes | null;
  source: string;
}

/** What stands between the stars of a pattern; each part matches a fixed number of bytes. */
function partsOf(pattern: Bytes): OneByte[][] {
  let part: OneByte[] = [];
  const parts = [part];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '*') {
      part = [];
      parts.push(part);
    } else if (char === '?') part.push({ literal: null, source: '[^]' });
    else if (char === '[') {
      const parsed = classSource(pattern, i + 1);
      part.push({ literal: null, source: parsed.source });
      i = parsed.next - 1;
    } else {
      if (char === '\\' && i + 1 < pattern.length) i++;
      const literal = pattern.charAt(i);
      part.push({ literal, source: hex(literal) });
    }
  }
  return parts;
}

/** The longest run of bytes that every match contains. */
export function longestLiteral(pattern: Bytes): Bytes {
  let longest = '';
  for (const part of partsOf(pattern)) {
    let run = '';
    for (const { literal } of part) {
      run = literal === null ? '' : run + literal;
      if (run.length > longest.length) longest = run;
    }
  }
  return longest;
}

interface Part {
  length: number;
  /** Whether the part stands at this place of the text. */
  isAt: (text: Bytes, place: number) => boolean;
  /** The first place from `from` on at which it stands; -1 = none. */
  find: (text: Bytes, from: number) => number;
}

function compilePart(bytes: readonly OneByte[]): Part {
  const { length } = bytes;
  if (bytes.every(({ literal }) => literal !== null)) {
    const literal = bytes.map((byte) => byte.literal).join('');
    return {
      length,
      isAt: (text, place) => text.startsWith(literal, place),
      find: (text, from) => text.indexOf(literal, from),
    };
  }
  const source = bytes.map((byte) => byte.source).join('');
  const here = new RegExp(source, 'y');
  const anywhere = new RegExp(source, 'g');
  return {
    length,
    isAt: (text, place) => {
      here.lastIndex = place;
      return here.test(text);
    },
    find: (text, from) => {
      anywhere.lastIndex = from;
      return anywhere.exec(text)?.index ?? -1;
    },
  };
}

/**
 * A test for binary strings with the meaning of Redis's glob. As no part between stars can be matched in two
 * lengths, the first place that fits is as good as any: the work grows with the text's length alone, however
 * many stars there are.
 */
export function compileGlob(pattern: Bytes): (text: Bytes) => boolean {
  const [first, ...others] = partsOf(pattern).map(compilePart);
  const last = others.pop();
  if (!first) return () => false;
  if (!last) return (text) => text.length === first.length && first.isAt(text, 0);
  const middle = others.filter(({ length }) => length > 0);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !first.isAt(text, 0) || !last.isAt(text, end)) return false;
    let from = first.length;
    for (const part of middle) {
      const place = part.find(text, from);
      if (place < 0 || place + part.length > end) return false;
      from = place + part.length;
    }
    return true;
  };
}
