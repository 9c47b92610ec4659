import type { Bytes } from '@/lib/protocol/bytes';
import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { expires, HEX_32, wholeString } from './token';

const PREFIX = 'lock4j:';

/** A random uuid without its dashes. One random value in 64 has these digits by chance. */
const isUuid4 = (token: Bytes): boolean =>
  HEX_32.test(token) && token[12] === '4' && '89ab'.includes(token.charAt(16));

/** baomidou's lock4j, with its RedisTemplate executor: `lock4j:CLASS.METHOD#KEY`. */
export const lock4j: LockFormat = {
  ...STRING_LOCK,
  id: 'lock4j',
  name: 'lock4j',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value, context) => {
    const token = wholeString(value);
    if (token === null) return null;
    if (key.startsWith(PREFIX)) {
      return isUuid4(token)
        ? { certainty: 'certain', because: { id: 'prefix-shape', prefix: PREFIX } }
        : { certainty: 'likely', because: { id: 'prefix', prefix: PREFIX } };
    }
    if (!isUuid4(token) || (!context.declared && !expires(context))) return null;
    return { certainty: 'likely', because: { id: 'uuid-4' } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'wakes-nobody', 'renewal-fails'],
};
