import type { LockTaker } from '@/test/perf/lock/client';
import type { Slice, SliceResult } from '@/test/perf/lock/job';

/** Runs `workers` loops for one slice, each on a lock of its own. */
export async function runFreely(
  taker: LockTaker,
  workers: number,
  { ms }: Slice,
): Promise<SliceResult> {
  const startedAt = performance.now();
  const endsAt = startedAt + ms;
  let pairs = 0;
  const loop = async (name: string): Promise<void> => {
    while (performance.now() < endsAt) {
      const hold = await taker.acquire(name);
      await hold.release();
      pairs++;
    }
  };
  await Promise.all(Array.from({ length: workers }, async (_, i) => await loop(`bench:own:${i}`)));
  return { perSecond: (pairs / (performance.now() - startedAt)) * 1000 };
}
