import type { Bytes } from '@/lib/protocol/bytes';

/** A copy of its own, to be kept: what was cut out of a chunk would keep the whole chunk in memory. */
export const detached = (text: Bytes): Bytes => Buffer.from(text, 'latin1').toString('latin1');
