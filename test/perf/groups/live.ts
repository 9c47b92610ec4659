import type { Report } from '@/test/perf/index';
import { followLocks } from '@/test/perf/follow-locks';
import { paced } from '@/test/perf/load';
import { cpuSeconds } from '@/test/perf/process-usage';
import { median, quantile } from '@/test/perf/statistics';
import { startConsole } from '@/test/support/console';
import { startRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';

const CLIENTS = 50;
const LOCKS = 100;
/** One SET with a time to live makes the events `set` and `expire`. */
const EVENTS_PER_SET = 2;
const TOKEN = /"t(\d+\.\d+)"/g;

/**
 * Every lock's token is the time of its SET; a frame that brings a new token tells how long it took.
 * A hold overwritten within one frame is not sent, so only what a browser can see counts.
 */
export async function measureLive(report: Report, quick: boolean): Promise<void> {
  for (const perSecond of [1000, 20_000]) {
    const redis = await startRedis();
    const client = redis.client();
    const console = await startConsole({ redisUrl: redis.url });
    const latencies: number[] = [];
    const newest = new Map<number, number>();
    const clients = await Promise.all(
      Array.from({ length: quick ? 5 : CLIENTS }, async (_, index) => {
        return await followLocks(console.url, { q: 'lock:live:' }, (_locks, frame) => {
          if (!frame) return;
          const now = performance.now();
          for (const [, sentAt] of JSON.stringify(frame.patch).matchAll(TOKEN)) {
            const sent = Number(sentAt);
            // Renewals and endings repeat an older token; only its first showing is news.
            if (sent <= (newest.get(index) ?? 0)) continue;
            newest.set(index, sent);
            latencies.push(now - sent);
          }
        });
      }),
    );
    try {
      await pause(500);
      const cpuBefore = cpuSeconds(console.pid);
      const seconds = quick ? 2 : 8;
      await paced({ perSecond: perSecond / EVENTS_PER_SET, seconds }, (index) => {
        void client.set(`lock:live:${index % LOCKS}`, `t${performance.now()}`, 'PX', 30_000);
      });
      await pause(500);
      report(`live.eventToBrowserMs.p50.at${perSecond}`, median(latencies));
      report(`live.eventToBrowserMs.p99.at${perSecond}`, quantile(latencies, 0.99));
      report(`live.consoleCores.at${perSecond}`, (cpuSeconds(console.pid) - cpuBefore) / seconds);
    } finally {
      for (const { close } of clients) close();
      await console.stop();
      await redis.stop();
    }
  }
}
