import type { Bytes } from '@/lib/protocol/bytes';
import { BULL_PREFIX } from './bullmq';
import type { SideKey } from './format';
import {
  FENCE_PREFIX,
  keyFromDerived,
  LATCH_PREFIX,
  QUEUE_PREFIX,
  TIMEOUTS_PREFIX,
} from './redisson-names';

/** Side keys whose events say something about a lock. */
export const SIDE_PREFIXES: readonly Bytes[] = [QUEUE_PREFIX, TIMEOUTS_PREFIX, FENCE_PREFIX];

const RWLOCK_TIMEOUT = /:rwlock_timeout:\d+$/;

function endsInDigit(key: Bytes): boolean {
  const last = key.charCodeAt(key.length - 1);
  return last >= 0x30 && last <= 0x39;
}

const NOISE: SideKey = { parent: null };

/** What a key is that belongs to a lock and is none itself; null when it may be a lock. */
export function readSideKey(key: Bytes): SideKey | null {
  if (key.startsWith('redisson_')) {
    for (const prefix of SIDE_PREFIXES) {
      if (key.startsWith(prefix)) return { parent: keyFromDerived(key.slice(prefix.length)) };
    }
    if (key.startsWith(LATCH_PREFIX)) return NOISE;
  }
  if (key.startsWith(BULL_PREFIX) && !key.endsWith(':lock')) return NOISE;
  return endsInDigit(key) && RWLOCK_TIMEOUT.test(key.slice(-40)) ? NOISE : null;
}
