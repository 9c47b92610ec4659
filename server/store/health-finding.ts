import { sentence } from '@/lib/messages/sentence';
import type { Finding } from '@/server/analysers/finding';
import type { StoreHealth } from './store-contract';

/** A store that cannot be written is an incident like any other, found by its own health. */
export function storeFindings(
  { health, lostRows }: { health: StoreHealth; lostRows: number },
  target: string,
  now: number,
): Finding[] {
  if (health.ok) return [];
  const lastsMs = now - health.since;
  return [
    {
      id: `store-broken:${target}`,
      code: 'store-broken',
      severity: 'critical',
      subject: { kind: 'target', label: target, locks: [], deadlockId: null },
      summary: [
        health.problem === null
          ? sentence('store-broken:no-problem', { lastsMs })
          : sentence('store-broken:problem', { lastsMs, problem: health.problem }),
        ...(lostRows > 0 ? [sentence('store-broken:lost', { count: lostRows })] : []),
      ],
      remedy: [sentence('store-broken:remedy', {})],
      since: health.since,
      count: 1,
      evidence: 'observed',
      moment: false,
    },
  ];
}
