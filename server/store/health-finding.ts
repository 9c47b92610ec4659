import { describeMs } from '@/lib/analysis/duration';
import type { Finding } from '@/server/analysers/finding';
import type { StoreHealth } from './store-contract';

/** A store that cannot be written is an incident like any other, found by its own health. */
export function storeFindings(
  { health, lostRows }: { health: StoreHealth; lostRows: number },
  target: string,
  now: number,
): Finding[] {
  if (health.ok) return [];
  const lost = lostRows > 0 ? ` ${lostRows} rows of history had to be given up.` : '';
  return [
    {
      id: `store-broken:${target}`,
      code: 'store-broken',
      severity: 'critical',
      subject: { kind: 'target', label: target, locks: [], deadlockId: null },
      summary: `History and audit cannot be written for ${describeMs(now - health.since)}: ${health.problem ?? 'the database is broken.'}${lost}`,
      remedy:
        'Acts are refused until it is repaired: free disk space, or bring the database back. It goes on by itself.',
      since: health.since,
      count: 1,
      evidence: 'observed',
      moment: false,
    },
  ];
}
