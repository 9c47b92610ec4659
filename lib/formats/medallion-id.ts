import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Holder } from './format';
import { holderOf } from './token';

/** `<machine>_<pid>_<32 hex>` (DistributedLock.Redis). */
const ID = /^([\s\S]{1,255})_(\d{1,10})_[0-9a-f]{32}$/;
const MAX_ID_BYTES = 300;
/** A writer that waits for readers to leave holds its place under its id with this behind. */
const WAITING = '_WRITERWAITING';

export const isMedallionId = (text: Bytes): boolean => text.length <= MAX_ID_BYTES && ID.test(text);

/** Machine and process of an id; of anything else, the token alone. */
export function medallionHolder(token: Bytes, rest: Partial<Holder> = {}): Holder {
  const match = token.length <= MAX_ID_BYTES ? ID.exec(token) : null;
  if (!match) return holderOf(token, {}, rest);
  return holderOf(token, { host: printable(match[1] ?? ''), pid: Number(match[2]) }, rest);
}

/** The id of a writer that waits; null where the value is something else. */
export function waitingWriter(text: Bytes): Bytes | null {
  const id = text.endsWith(WAITING) ? text.slice(0, -WAITING.length) : '';
  return isMedallionId(id) ? id : null;
}

export const READERS = '.readers';
export const WRITER = '.writer';
