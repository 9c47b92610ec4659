import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { expires, namesLock, wholeString } from './token';

const HEX_80 = /^[0-9a-fA-F]{80}$/;

/** redlock of Elixir: 40 random bytes in hex. An extension that would shorten the lease does nothing. */
export const elixirRedlock: LockFormat = {
  ...STRING_LOCK,
  id: 'elixir-redlock',
  name: 'redlock (Elixir)',
  recognise: (key, value, context) => {
    if (!HEX_80.test(wholeString(value) ?? '')) return null;
    if (!context.declared && !expires(context) && !namesLock(key)) return null;
    return { certainty: 'likely', because: { id: 'hex-80' } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'release-silent', 'wakes-nobody', 'every-node'],
};
