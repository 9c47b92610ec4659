import type { Redis } from 'ioredis';
import type { Played } from './play';
import { percentile } from './truth';

const DELETED = '__keyevent@0__:del';

/**
 * A listener that does nothing but note when it is told of each release, beside the workload: Redis gives its events no
 * time, so nobody who listens can tell them better. `lateness` of what was played: ms at `q` from Redis's own time of a
 * release to its event.
 */
export async function listenToReleases(redis: Redis) {
  const heard = new Map<string, number[]>();
  const ours = performance.timeOrigin;
  redis.on('message', (_channel, key: string) => {
    const at = ours + performance.now();
    const known = heard.get(key);
    if (known) known.push(at);
    else heard.set(key, [at]);
  });
  await redis.subscribe(DELETED);
  return {
    lateness: (played: readonly Played[], q: number): number => {
      const late: number[] = [];
      const next = new Map<string, number>();
      for (const { kind, lock, at } of played) {
        if (kind !== 'release') continue;
        const n = next.get(lock) ?? 0;
        next.set(lock, n + 1);
        const told = heard.get(lock)?.[n];
        if (told !== undefined) late.push(told - at);
      }
      return percentile(late, q);
    },
  };
}
