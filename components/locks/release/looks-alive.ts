import type { Hold } from '@/lib/protocol/lock';

/** Without a learnt interval: the longest that the libraries with a watchdog wait by default, and half again. */
const DEFAULT_ALIVE_MS = 15_000;

/**
 * Whether a holder gave a sign of life lately: its instance is there, or else it renewed within one and a half of its own intervals.
 * `now` in epoch ms.
 */
export function looksAlive(hold: Hold, now: number): boolean {
  if (hold.owner.liveness !== 'unknown') return hold.owner.liveness === 'seen';
  if (hold.lastRenewalAt === null) return false;
  const withinMs =
    hold.renewalIntervalMs === null ? DEFAULT_ALIVE_MS : hold.renewalIntervalMs * 1.5;
  return now - hold.lastRenewalAt <= withinMs;
}
