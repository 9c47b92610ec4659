import type { Bytes } from '@/lib/protocol/bytes';

const SLOTS = 16_384;
/** Of CRC-16/XMODEM. */
const POLYNOMIAL = 0x1021;

function crc16(bytes: Bytes): number {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes.charCodeAt(i) << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
    }
    crc &= 0xffff;
  }
  return crc;
}

/** What of a key decides its slot: what stands between the first `{` and the next `}`, where that is not empty. */
export function hashTag(key: Bytes): Bytes {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : key;
}

/** The slot of a Redis Cluster in which a key lies, 0 to 16383, by the cluster specification. */
export const keySlot = (key: Bytes): number => crc16(hashTag(key)) % SLOTS;
