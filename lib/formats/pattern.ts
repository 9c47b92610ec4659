import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat, RawValue } from './format';
import { hexOf, isUtf8 } from './raw-bytes';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIXES = ['lock:', 'redlock:'];

/** A field that read-write locks of Redisson have; they are healthy locks, only not read yet. */
const isReadWrite = (value: RawValue | null): boolean =>
  value?.type === 'hash' && value.fields.some(([field]) => field === 'mode');

/** Whatever encoded it (igbinary, MessagePack, compression): bytes that are no text are shown in hex. */
function readHolder(token: Bytes, isWhole: boolean): Holder {
  return holderOf(token, isWhole && !isUtf8(token) ? { id: `0x${hexOf(token)}` } : {});
}

/** A key that only its name declares to be a lock: its value is the token, whatever it says. */
export const pattern: LockFormat = {
  ...STRING_LOCK,
  id: 'pattern',
  name: 'Own pattern',
  prefixes: PREFIXES,
  nameIsProof: true,
  recognise: (key, value, { declared }) => {
    if (value === null || isReadWrite(value)) return null;
    if (declared) return { certainty: 'certain', because: { id: 'declared' } };
    const prefix = PREFIXES.find((each) => key.startsWith(each));
    return prefix ? { certainty: 'likely', because: { id: 'prefix', prefix } } : null;
  },
  decode: (_key, value) => {
    const isWhole = wholeString(value) !== null;
    return decodeString(value, (token) => readHolder(token, isWhole));
  },
  expiry: 'by-caller',
  renewal: 'set',
  oldHolder: 'unknown',
  releaseNotes: ['release-deletes', 'wakes-nobody', 'unknown-library'],
};
