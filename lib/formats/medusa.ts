import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, UUID, wholeString } from './token';

const PREFIX = 'medusa_lock:';
const EXECUTE = 'execute:';
/** What is written when the caller gave no owner: whoever comes with none as well may release it. */
const NOBODY = '*';

const readHolder = (token: Bytes): Holder =>
  token === NOBODY ? holderOf(token, { id: NO_OWNER_ID }) : holderOf(token);

/** @medusajs/locking-redis: `execute:<uuid>`, an owner of the caller's choice, or `*`. */
export const medusa: LockFormat = {
  ...STRING_LOCK,
  id: 'medusa',
  name: '@medusajs/locking-redis',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value);
    const isExecute = token?.startsWith(EXECUTE) && UUID.test(token.slice(EXECUTE.length));
    if (isExecute) return { certainty: 'certain', because: { id: 'execute-uuid' } };
    if (value?.type !== 'string' || !key.startsWith(PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  expiry: 'by-caller',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'abort-signal', 'anybody-unlocks', 'wakes-nobody'],
};
