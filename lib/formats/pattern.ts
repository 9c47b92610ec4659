import type { LockFormat, RawValue } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, holderOf, NO_COMPANIONS } from './token';

const PREFIXES = ['lock:', 'redlock:'];

/** A field that read-write locks of Redisson have; they are healthy locks, only not read yet. */
const isReadWrite = (value: RawValue | null): boolean =>
  value?.type === 'hash' && value.fields.some(([field]) => field === 'mode');

/** A key that only its name declares to be a lock: its value is the token, whatever it says. */
export const pattern: LockFormat = {
  id: 'pattern',
  name: 'Own pattern',
  kind: 'mutex',
  type: 'string',
  prefixes: PREFIXES,
  matchesKey: () => true,
  nameIsProof: true,
  recognise: (key, value, { declared }) => {
    if (value === null || isReadWrite(value)) return null;
    if (declared) return { certainty: 'certain', because: { id: 'declared' } };
    const prefix = PREFIXES.find((each) => key.startsWith(each));
    return prefix ? { certainty: 'likely', because: { id: 'prefix', prefix } } : null;
  },
  decode: (_key, value) => decodeString(value, holderOf),
  companions: () => NO_COMPANIONS,
  expiry: 'by-caller',
  renewal: 'set',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_STRING,
  releaseNotes: ['release-deletes', 'wakes-nobody', 'unknown-library'],
  readOnly: false,
};
