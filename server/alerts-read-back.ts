import type { Alert } from '@/lib/protocol/alert';
import { RETURNS_WITHIN_MS } from '@/server/alerts/alert-life';
import type { Store } from '@/server/store/store-contract';

const MOST_RESTORED = 10_000;
/** After a longer stop what is found is another incident, however soon before it the last one ended. */
const LONGEST_STOP_MS = 10 * 60_000;

/** The alerts that a console goes on with: those that are open, and those that may yet return as they were. */
export async function alertsToRestore(
  store: Pick<Store, 'alerts' | 'lastAliveAt'>,
  target: string,
  now: number,
): Promise<Alert[]> {
  const stoppedAt = Math.min((await store.lastAliveAt(target)) ?? now, now);
  const open = await store.alerts({ state: 'open', limit: MOST_RESTORED });
  if (now - stoppedAt > LONGEST_STOP_MS) return open;
  const from = stoppedAt - RETURNS_WITHIN_MS;
  return [...open, ...(await store.alerts({ state: 'resolved', from, limit: MOST_RESTORED }))];
}
