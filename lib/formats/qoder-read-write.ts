import type { Decoded, LockFormat, RawValue } from './format';
import { holdersIn, ownReason, qoder } from './qoder';
import { WAKE_OWN_READERS } from './qoder-release';
import { decodeHolders } from './redisson';

const modeOf = (value: RawValue | null): string | null =>
  (value?.type === 'hash' && value.fields.find(([field]) => field === 'mode')?.[1]) || null;

/** A writer may read as well: while it writes, it is the holder. */
function decode(value: RawValue): Decoded {
  const holders = holdersIn(value.type === 'hash' ? value.fields : []);
  const mode = modeOf(value);
  if (mode === null || holders.length === 0) return decodeHolders(null);
  const writers = holders.filter(({ token }) => token.endsWith(':write'));
  return decodeHolders(mode === 'write' && writers.length > 0 ? writers : holders);
}

/**
 * The read-write lock of Lockscope's own client: Redisson's hash with the field `mode`; a writer's field is
 * `<owner>:write`, of readers there may be many.
 */
export const qoderReadWrite: LockFormat = {
  ...qoder,
  id: 'qoder-read-write',
  name: 'QoderWake read-write lock',
  kind: 'read-write',
  prefixes: [],
  nameIsProof: false,
  recognise: (key, value) => {
    if (value?.type !== 'hash' || modeOf(value) === null) return null;
    const because = ownReason(
      key,
      value.fields.map(([field]) => field),
    );
    return because && { certainty: 'certain', because };
  },
  decode: (_key, value) => decode(value),
  wake: WAKE_OWN_READERS,
  hasForeignWaiters: false,
  byType: {},
};
