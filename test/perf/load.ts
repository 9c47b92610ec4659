import type { Redis } from 'ioredis';
import { pause } from '@/test/support/pause';

const SLICE_MS = 10;

/** Acquire and release of `pairs` locks as fast as Redis takes them, `width` in one packet. */
export async function saturate(
  redis: Redis,
  { prefix, pairs, width = 250 }: { prefix: string; pairs: number; width?: number },
): Promise<void> {
  for (let done = 0; done < pairs; done += width) {
    const pipeline = redis.pipeline();
    for (let i = done; i < Math.min(pairs, done + width); i++) {
      const key = `${prefix}${i % 2000}`;
      pipeline.set(key, 'token', 'PX', 30_000, 'NX').del(key);
    }
    await pipeline.exec();
  }
}

/**
 * Acquire and release of `pairs` locks by `clients` that each wait for every answer, as services do: the
 * load of the figures under "What watching costs Redis".
 */
export async function saturateByClients(
  clients: readonly Redis[],
  { prefix, pairs }: { prefix: string; pairs: number },
): Promise<void> {
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (next < pairs) {
        const key = `${prefix}${next++ % 2000}`;
        await client.set(key, 'token', 'PX', 30_000, 'NX');
        await client.del(key);
      }
    }),
  );
}

/** Calls `act` `perSecond` times a second for `seconds`, in slices of 10 ms. */
export async function paced(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  act: (index: number) => void,
): Promise<void> {
  const startedAt = performance.now();
  let done = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= seconds * 1000) return;
    const due = Math.floor((elapsedMs / 1000) * perSecond);
    while (done < due) act(done++);
    await pause(SLICE_MS);
  }
}

/** Fills a Redis with `count` keys `<prefix><n>` that live for an hour. */
export async function fill(redis: Redis, prefix: string, count: number): Promise<void> {
  const script = `for i = ARGV[1], ARGV[2] do
    redis.call('SET', ARGV[3] .. i, 'token-' .. i, 'PX', 3600000) end`;
  const step = 10_000;
  for (let from = 0; from < count; from += step) {
    await redis.eval(script, 0, from, Math.min(count, from + step) - 1, prefix);
  }
}

/** Latencies (ms) of one GET after the other until `stop` answers true. */
export async function probeLatency(redis: Redis, stop: () => boolean): Promise<number[]> {
  const samples: number[] = [];
  while (!stop()) {
    const startedAt = performance.now();
    await redis.get('probe');
    samples.push(performance.now() - startedAt);
    await pause(1);
  }
  return samples;
}
