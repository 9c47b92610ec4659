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

/** A test for binary strings with the meaning of Redis's glob. */
export function compileGlob(pattern: Bytes): (text: Bytes) => boolean {
  let source = '^';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '*') {
      while (pattern.charAt(i + 1) === '*') i++;
      source += '[^]*';
    } else if (char === '?') source += '[^]';
    else if (char === '[') {
      const parsed = classSource(pattern, i + 1);
      source += parsed.source;
      i = parsed.next - 1;
    } else {
      if (char === '\\' && i + 1 < pattern.length) i++;
      source += hex(pattern.charAt(i));
    }
  }
  const expression = new RegExp(`${source}$`);
  return (text) => expression.test(text);
}
