import type { Bytes } from '@/lib/protocol/bytes';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Two hex digits for each byte. */
export const hexOf = (bytes: Bytes): string =>
  bytes.replace(/[^]/g, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));

/** Whether the bytes are text: random bytes, igbinary and compressed values hardly ever are. */
export function isUtf8(bytes: Bytes): boolean {
  try {
    utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return true;
  } catch {
    // A fatal decoder says it in no other way.
    return false;
  }
}
