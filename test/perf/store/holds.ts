import { createRandom } from '@/server/demo/random';
import type { HoldRow } from '@/server/store/store-contract';

const HOUR_MS = 3_600_000;

/** `count` ended holds of 50,000 locks by 2,000 owners in the last hour before `now`, in the order of their ends. */
export function someHolds(count: number, now: number): HoldRow[] {
  const random = createRandom(7);
  const owners = Array.from({ length: 2000 }, () => `${random.uuid()}:${random.between(1, 99)}`);
  return Array.from({ length: count }, (_, i): HoldRow => {
    const end = now - HOUR_MS + Math.floor((i / count) * HOUR_MS);
    const lock = random.between(0, 49_999);
    const owner = owners[random.between(0, 1999)] ?? '';
    return {
      target: 'main',
      db: 0,
      key: `order_sync:${lock}`,
      class: `order_sync_${lock % 30}:*`,
      namespace: 'order_sync',
      formatId: 'redisson',
      token: owner,
      acquisitions: i,
      waited:
        i % 3 === 0
          ? { ms: random.between(1, 5000), source: 'report', evidence: 'observed' }
          : null,
      isNew: true,
      past: {
        generation: i + 1,
        owner,
        start: end - random.between(1, 2000),
        end,
        endReason: 'released',
        evidence: 'observed',
        renewals: 0,
        maxDepth: 1,
        endedBy: null,
        lateReleaseMs: null,
        businessId: null,
        notes: [],
      },
    };
  });
}
