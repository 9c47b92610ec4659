import type { Bytes } from '@/lib/protocol/bytes';

/**
 * Stands for a value where only equality matters, so that the value itself need not be kept. 53 bits by two
 * multiplicative hashes: not to be reversed for a random token, and equal for two by chance once in 10^15.
 */
export function fingerprint(value: Bytes): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < value.length; i++) {
    const byte = value.charCodeAt(i);
    high = Math.imul(high ^ byte, 0x9e3779b1);
    low = Math.imul(low ^ byte, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 0x100000000 * (high & 0x1fffff) + (low >>> 0);
}
