/** The finishing mix of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit. */
function finish(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * 16 hex digits that depend on the text alone, the same on every machine and after every restart.
 * Two FNV-1a lanes; good for identity, useless against someone who wants a collision.
 */
export function stableHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15);
  }
  const hex = (value: number): string => finish(value).toString(16).padStart(8, '0');
  return hex(high ^ text.length) + hex(low);
}
