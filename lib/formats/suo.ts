import { toMoment } from '@/lib/protocol/time';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Decoded, Holder, LockFormat, RawValue } from './format';
import { readMessagePack, type Packed } from './message-pack';
import { STRING_LOCK } from './string-lock';
import { holderOf, namesLock, wholeString } from './token';

/** Made by SecureRandom.base64(16), unless the application gives one. */
const DEFAULT_TOKEN = /^[A-Za-z0-9+/]{22}==$/;
const EARLIEST_SECOND = 1e9;
const LATEST_SECOND = 1e10;

interface Entry {
  second: number;
  token: Bytes;
}

function entryOf(packed: Packed): Entry | null {
  if (!Array.isArray(packed) || packed.length !== 2) return null;
  const [second, token] = packed;
  if (typeof second !== 'number' || typeof token !== 'string') return null;
  return second > EARLIEST_SECOND && second < LATEST_SECOND ? { second, token } : null;
}

/** The first byte of an array: asked of every string that is read. */
const isArray = (first: number): boolean =>
  (first >= 0x90 && first <= 0x9f) || first === 0xdc || first === 0xdd;

/** `[[<epoch second>, <token>], …]` in MessagePack; null for any other value. */
function entriesOf(value: Bytes): Entry[] | null {
  if (!isArray(value.charCodeAt(0))) return null;
  const packed = readMessagePack(value);
  if (!Array.isArray(packed)) return null;
  const entries: Entry[] = [];
  for (const each of packed) {
    const entry = entryOf(each);
    if (!entry) return null;
    entries.push(entry);
  }
  return entries;
}

function readHolder({ second, token }: Entry): Holder {
  const at = toMoment(second * 1000);
  return holderOf(token, {}, { tokenTime: { at, means: 'taken' }, role: 'permit' });
}

function decode(value: RawValue): Decoded {
  const entries = entriesOf(wholeString(value) ?? '');
  if (!entries && wholeString(value) !== '') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  return { holders: entries?.map(readHolder) ?? [], broken: null, fence: null };
}

/**
 * suo (Ruby): a list of those who hold it, one unless the lock was made for more. Empty is free. An entry is
 * ignored an hour after it was written, or as long as its readers are told; the key does not say.
 */
export const suo: LockFormat = {
  ...STRING_LOCK,
  id: 'suo',
  name: 'suo',
  recognise: (key, value, { declared }) => {
    const entries = entriesOf(wholeString(value) ?? '');
    if (!entries) return null;
    const isUnmistakable =
      entries.length > 0 && entries.every(({ token }) => DEFAULT_TOKEN.test(token));
    if (!isUnmistakable && !declared && !namesLock(key)) return null;
    const certainty = isUnmistakable ? 'certain' : 'likely';
    return { certainty, because: { id: 'message-pack' } };
  },
  decode: (_key, value) => decode(value),
  expiry: 'none-by-default',
  renewal: 'set',
  oldHolder: 'revives',
  releaseNotes: ['release-deletes', 'all-holders', 'refresh-returns', 'wakes-nobody'],
};
