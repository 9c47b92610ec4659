import { createRandom } from '@/server/demo/random';
import type { HoldRow } from '@/server/store/store-contract';

const HOUR_MS = 3_600_000;

interface Asked {
  count: number;
  /** Holds in a batch. */
  size: number;
  now: number;
}

/**
 * `count` ended holds of 50,000 locks by 2,000 owners in the last hour before `now`, in the order of their ends. The
 * same each time, and made as they are asked for: half a million of them would be all that the collector looks at.
 */
export function* batchesOfHolds({ count, size, now }: Asked): Generator<HoldRow[]> {
  const random = createRandom(7);
  const owners = Array.from({ length: 2000 }, () => `${random.uuid()}:${random.between(1, 99)}`);
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, i) => {
      const end = now - HOUR_MS + Math.floor(((from + i) / count) * HOUR_MS);
      return aHold(random, { owners, end, place: from + i });
    });
  }
}

function aHold(
  random: ReturnType<typeof createRandom>,
  { owners, end, place }: { owners: readonly string[]; end: number; place: number },
): HoldRow {
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
    acquisitions: place,
    waited:
      place % 3 === 0
        ? { ms: random.between(1, 5000), source: 'report', evidence: 'observed' }
        : null,
    isNew: true,
    past: {
      generation: place + 1,
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
}
