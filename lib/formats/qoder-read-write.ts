import type { Decoded, LockFormat, RawValue } from './format';
import { descriptionOf, holdersIn, ownReason, qoder } from './qoder';
import { decodeHolders } from './redisson';

const modeOf = (value: RawValue | null): string | null =>
  (value?.type === 'hash' && value.fields.find(([field]) => field === 'mode')?.[1]) || null;

/** When readers came one after the other, what describes the hold is the word of one of them only. */
function decode(value: RawValue): Decoded {
  const fields = value.type === 'hash' ? value.fields : [];
  const holders = holdersIn(fields);
  if (modeOf(value) === null || holders.length === 0) return decodeHolders(null);
  const description = holders.length === 1 ? descriptionOf(fields) : {};
  return decodeHolders(holders.map((holder) => ({ ...holder, ...description })));
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
    if (value?.type !== 'hash' || value.truncated || modeOf(value) === null) return null;
    const because = ownReason(
      key,
      value.fields.map(([field]) => field),
    );
    return because && { certainty: 'certain', because };
  },
  decode: (_key, value) => decode(value),
  byType: {},
};
