import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Decoded, Holder, LockFormat, RawValue, RecognitionReason } from './format';
import { isOwnOwner, ownerParts } from './qoder-owner';
import { decodeHolders, redissonLayout } from './redisson';
import { RELEASE_OWN, WAKE_OWN } from './qoder-release';
import { decodeString, holderOf, reentryCount } from './token';

const OWN_PREFIX = 'qoder:lock:';
const DIGITS = /^\d{1,16}$/;

/** Fields that describe the hold and name no holder: they have no colon. */
interface Description {
  /** Epoch ms of the grant, by Redis's clock. */
  since?: number;
  businessId?: string;
}

function descriptionOf(fields: readonly [Bytes, Bytes][]): Description {
  const description: Description = {};
  for (const [field, text] of fields) {
    if (field === 'since' && DIGITS.test(text)) description.since = Number(text);
    if (field === 'business' && text !== '') description.businessId = printable(text);
  }
  return description;
}

/** The owners' fields with their counts, as holders. */
export function holdersIn(fields: readonly [Bytes, Bytes][]): Holder[] {
  return fields.flatMap(([field, count]) => {
    const depth = reentryCount(count);
    return depth !== null && field.includes(':')
      ? [holderOf(field, ownerParts(field), { depth })]
      : [];
  });
}

function decode(value: RawValue): Decoded {
  if (value.type === 'string') {
    return decodeString(value, (token) => holderOf(token, ownerParts(token)));
  }
  const fields = value.type === 'hash' ? value.fields : [];
  const description = descriptionOf(fields);
  const holders = holdersIn(fields).map((holder) => ({ ...holder, ...description }));
  return decodeHolders(holders.length > 0 ? holders : null);
}

/** By what a value of any kind of our locks is known: the prefix, or an owner that only our client makes. */
export function ownReason(key: Bytes, owners: readonly Bytes[]): RecognitionReason | null {
  if (key.startsWith(OWN_PREFIX)) return { id: 'prefix', prefix: OWN_PREFIX };
  return owners.some(isOwnOwner) ? { id: 'own-client' } : null;
}

const fieldsOf = (value: RawValue | null): Bytes[] =>
  value?.type === 'hash' && !value.truncated ? value.fields.map(([field]) => field) : [];

/**
 * The mutex of Lockscope's own client: Redisson's layout and channels, with the hold described beside its
 * owner (`lib/lock/README.md`). Under another prefix it is known by its owner.
 */
export const qoder: LockFormat = {
  ...redissonLayout,
  id: 'qoder',
  name: 'QoderWake',
  prefixes: [OWN_PREFIX],
  nameIsProof: true,
  recognise: (key, value) => {
    const because = ownReason(key, fieldsOf(value));
    return because && { certainty: 'certain', because };
  },
  decode: (_key, value) => decode(value),
  waiters: 'fair-queue',
  hasForeignWaiters: true,
  watchdog: 'any-lease',
  handsOver: true,
  release: RELEASE_OWN,
  wake: WAKE_OWN,
  releaseNotes: ['release-deletes', 'wakes-head', 'holder-told', 'fencing-kept'],
  // A plain string is set by clients that know no channels.
  byType: {
    string: { waiters: 'poll', releaseNotes: ['release-deletes', 'wakes-nobody', 'renewal-fails'] },
  },
};
