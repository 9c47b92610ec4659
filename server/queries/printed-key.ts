import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|\\)/g;

/** The bytes of which `printable` made this text: undoes `\xHH` and `\\`, the rest is UTF-8. */
export function bytesFromPrintable(text: string): Bytes {
  let out = '';
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    out += bytesFromText(text.slice(end, match.index));
    out += match[1] === undefined ? '\\' : String.fromCharCode(Number.parseInt(match[1], 16));
    end = match.index + match[0].length;
  }
  return out + bytesFromText(text.slice(end));
}
