import type { LockFormat } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, holderOf, NO_COMPANIONS } from './token';

/** What locks have in common that are one token in a string at a name of the application's choice. */
export const STRING_LOCK: Omit<
  LockFormat,
  'id' | 'name' | 'recognise' | 'expiry' | 'renewal' | 'releaseNotes'
> = {
  kind: 'mutex',
  type: 'string',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  decode: (_key, value) => decodeString(value, holderOf),
  companions: () => NO_COMPANIONS,
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_STRING,
  readOnly: false,
};
