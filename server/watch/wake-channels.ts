import { CHANNEL_PREFIX, keyFromDerived } from '@/lib/formats/redisson-names';
import type { Bytes } from '@/lib/protocol/bytes';

/** One pattern for all: Redis walks over every channel for each that is asked for. */
export const WAKE_CHANNELS_GLOB = 'redisson_*';

const DERIVED_PREFIXES: readonly Bytes[] = ['redisson_rwlock:', 'redisson_sc:'];
const LATCH_PREFIX = 'redisson_countdownlatch__channel__{';
/** A waiter of the fair lock listens on the lock's channel followed by its own id. */
const WAITER_END = /:[0-9a-f-]{36}:-?\d{1,20}$/;

/**
 * The key of the lock whose waiters listen on this channel of Redisson, null where no lock's is named so
 * (`RedissonLock.getChannelName` and its kin; `lib/formats/redisson-names.ts`).
 */
export function keyOfChannel(channel: Bytes): Bytes | null {
  if (channel.startsWith(CHANNEL_PREFIX)) {
    return keyFromDerived(channel.slice(CHANNEL_PREFIX.length).replace(WAITER_END, ''));
  }
  for (const prefix of DERIVED_PREFIXES) {
    if (channel.startsWith(prefix)) return keyFromDerived(channel.slice(prefix.length));
  }
  if (!channel.startsWith(LATCH_PREFIX) || !channel.endsWith('}')) return null;
  return channel.slice(LATCH_PREFIX.length, -1);
}

/** False for the channel of one waiter in a fair queue. */
export const isLockChannel = (channel: Bytes): boolean => !WAITER_END.test(channel);
