import type { Bytes } from '@/lib/protocol/bytes';
import type { Decoded, LockFormat, RawValue, RecogniseContext, Recognition } from './format';
import { wholeString } from './token';

const COUNT = /^-?\d{1,15}$/;

/** The number in a counter that Redisson counts up and down; null where there is another value. */
export function countIn(value: RawValue | null): number | null {
  const text = wholeString(value) ?? '';
  return COUNT.test(text) ? Number(text) : null;
}

export const NO_COUNTER: Decoded = {
  holders: [],
  broken: 'key is used for something else',
  fence: null,
};

/**
 * A bare number is known by the clients that wait for it, by the name of a map's entry (`suffix`), and as long
 * as it is there by what it was known as before.
 */
export function recogniseCounter(
  key: Bytes,
  { id, channels, suffix }: { id: string; channels: readonly Bytes[]; suffix: Bytes },
  { listened = [], knownAs }: RecogniseContext,
): Recognition | null {
  if (channels.some((channel) => listened.includes(channel))) {
    return { certainty: 'certain', because: { id: 'channel' } };
  }
  if (key.endsWith(suffix)) {
    return { certainty: 'likely', because: { id: 'suffix', prefix: suffix } };
  }
  return knownAs === id ? { certainty: 'likely', because: { id: 'counter' } } : null;
}

/** KEYS[1]: the counter; ARGV[1]: its value as seen. */
export const COMPARE_COUNTER_LUA = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[1] then return {-1} end`;

/** What the counters of Redisson have in common: they have any name, no time to live and no owner. */
export const COUNTER: Omit<
  LockFormat,
  'id' | 'name' | 'kind' | 'recognise' | 'decode' | 'companions' | 'release' | 'releaseNotes'
> = {
  type: 'string',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  expiry: 'none-by-default',
  renewal: 'none',
  counts: true,
  waiters: 'pubsub',
  shorterLeaseMeansFinished: false,
  readOnly: false,
};
