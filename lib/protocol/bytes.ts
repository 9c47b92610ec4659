/**
 * Redis keys and values are bytes. Inside Lockscope they travel as *binary strings*: one character per
 * byte, code points 0–255 (`latin1`). Such a string compares, hashes and slices like the bytes it stands
 * for, costs one byte per character in V8, and survives any content. Only the edge turns it into text.
 */
export type Bytes = string;

// Without `ignoreBOM` the decoder drops a leading U+FEFF, and two names would print the same.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const encoder = new TextEncoder();
// Nearly every name is of these, and many are compared with many patterns.
const ASCII = /^[\0-\x7f]*$/;

/** The bytes of `text` in UTF-8, as a binary string. */
export function bytesFromText(text: string): Bytes {
  if (ASCII.test(text)) return text;
  let out = '';
  for (const byte of encoder.encode(text)) out += String.fromCharCode(byte);
  return out;
}

function toUint8(bytes: Bytes): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) out[i] = bytes.charCodeAt(i);
  return out;
}

const ASCII_PRINTABLE = /^[\x20-\x5b\x5d-\x7e]*$/;
// Controls, format characters (bidi overrides, zero-width) and lone separators could disguise a name.
const UNSAFE_TEXT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\\]/gu;
const DISGUISES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

function escapeCharacter(character: string): string {
  if (character === '\\') return '\\\\';
  let out = '';
  for (const byte of new TextEncoder().encode(character)) {
    out += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return out;
}

/**
 * The printable form of bytes: UTF-8 where valid, with `\xHH` for every control or invisible character
 * and for every byte that is not UTF-8, and `\\` for a backslash. Unambiguous, safe as text on a page.
 */
export function printable(bytes: Bytes): string {
  if (ASCII_PRINTABLE.test(bytes)) return bytes;
  try {
    return utf8.decode(toUint8(bytes)).replace(UNSAFE_TEXT, escapeCharacter);
  } catch {
    return bytes.replace(/[^\x20-\x5b\x5d-\x7e]/g, (c) =>
      c === '\\' ? '\\\\' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  }
}

/**
 * Text that a person typed, on one line and without characters that disguise: they are written as in
 * {@link printable}. Text that went through this stays as it is.
 */
export const printableText = (text: string): string =>
  text.replace(/\s+/gu, ' ').replace(DISGUISES, escapeCharacter);

/** base64url (no padding) of the bytes: how a key travels in a URL and in `keyB64`. */
export function toBase64Url(bytes: Bytes): string {
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Reverse of {@link toBase64Url}. Returns `null` when the text is not base64url. */
export function fromBase64Url(text: string): Bytes | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    return atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  } catch {
    return null;
  }
}
