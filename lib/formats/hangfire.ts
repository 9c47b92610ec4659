import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, UUID, wholeString } from './token';

const PREFIX = '{hangfire}:';

/** Hangfire.Redis.StackExchange: `{hangfire}:RESOURCE`, its value the GUID of the process. */
export const hangfire: LockFormat = {
  ...STRING_LOCK,
  id: 'hangfire',
  name: 'Hangfire',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  recognise: (key, value) => {
    if (!key.startsWith(PREFIX) || !UUID.test(wholeString(value) ?? '')) return null;
    return { certainty: 'certain', because: { id: 'prefix-uuid', prefix: PREFIX } };
  },
  decode: (_key, value) =>
    decodeString(value, (token) => holderOf(token, UUID.test(token) ? { instance: token } : {})),
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'wakes-nobody', 'job-fails'],
};
