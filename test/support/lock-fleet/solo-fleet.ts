import type { LockWorld } from '@/test/support/lock-fleet/lock-world';
import { createResource } from '@/test/support/lock-fleet/resource';
import { until } from '@/test/support/until';

export interface SoloFleet {
  /** Sections of each worker while all of them together wrote `total`, counted after every one has begun. */
  countSections: (total: number) => Promise<Map<string, number>>;
}

/** Workers in several processes that all want one and the same lock, without end. */
export async function createSoloFleet(
  world: LockWorld,
  { processes, workersEach, ttlMs }: { processes: number; workersEach: number; ttlMs: number },
): Promise<SoloFleet> {
  const resource = createResource(world.admin);
  const children = await Promise.all(
    Array.from({ length: processes }, async () => await world.child({ ttlMs })),
  );
  for (const [seed, child] of children.entries()) {
    await child.ask('loop', {
      workers: workersEach,
      names: ['solo'],
      seed,
      longHolds: { share: 1, maxMs: 1 },
      shares: { impatient: 0, aborted: 0, tries: 0, barging: 0, nested: 0 },
      waitMs: 30_000,
    });
  }
  return {
    countSections: async (total) => {
      const workers = processes * workersEach;
      const before = await until('every worker has begun', async () => {
        const record = await resource.read();
        return record.workers.size === workers ? record : null;
      });
      const after = await until(
        `${total} sections`,
        async () => {
          const record = await resource.read();
          return record.sections - before.sections >= total ? record : null;
        },
        300_000,
      );
      return new Map(
        [...after.workers].map(([worker, count]) => [
          worker,
          count - (before.workers.get(worker) ?? 0),
        ]),
      );
    },
  };
}
