import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Report } from '@/test/perf/index';
import { fill, probeLatency, saturate } from '@/test/perf/load';
import { cpuSeconds, residentBytes } from '@/test/perf/process-usage';
import { median, quantile } from '@/test/perf/statistics';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';
import { followLocks } from '@/test/perf/follow-locks';

/** `set`, `expire` and `del`: what one acquire and release of the load sends. */
const EVENTS_PER_PAIR = 3;

export async function measureWatch(report: Report, quick: boolean): Promise<void> {
  await measureCpu(report, quick);
  await measureMemory(report, quick);
  await measureLapses(report, quick);
  await measureCuts(report, quick);
  await measureStartup(report, quick);
}

async function startReader(redis: TestRedis): Promise<{ pid: number; stop: () => void }> {
  const program = join(ROOT, 'dist', 'perf', 'ioredis-reader.js');
  const child = spawn(process.execPath, [program, redis.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { pid: child.pid ?? 0, stop: () => void child.kill() };
}

const eventsOf = async (console: TestConsole): Promise<number> =>
  (await console.query('targets'))[0]?.nodes[0]?.eventsTotal ?? 0;

/** CPU of `pid` per million events while `pairs` pass, without what it uses when idle for as long. */
async function cpuPerMillion(
  pid: number,
  pairs: number,
  run: () => Promise<void>,
): Promise<number> {
  const before = cpuSeconds(pid);
  await run();
  return ((cpuSeconds(pid) - before) / (pairs * EVENTS_PER_PAIR)) * 1e6;
}

/** Console and bare reader in turn, each on a Redis of its own, so that neither slows the other. */
async function measureCpu(report: Report, quick: boolean): Promise<void> {
  const pairs = quick ? 20_000 : 200_000;
  const rounds = quick ? 2 : 5;
  const [watched, read] = [await startRedis(), await startRedis()];
  const console = await startConsole({ redisUrl: watched.url });
  const reader = await startReader(read);
  const [toWatched, toRead] = [watched.client(), read.client()];
  const ratios: number[] = [];
  const rates: number[] = [];
  const lags: number[] = [];
  try {
    await saturate(toWatched, { prefix: 'lock:warm:', pairs: 5000 });
    for (let round = 0; round < rounds; round++) {
      const bare = await cpuPerMillion(reader.pid, pairs, async () => {
        await saturate(toRead, { prefix: 'lock:cpu:', pairs });
        await pause(300);
      });
      const whole = await cpuPerMillion(console.pid, pairs, async () => {
        const expected = (await eventsOf(console)) + pairs * EVENTS_PER_PAIR;
        const startedAt = performance.now();
        await saturate(toWatched, { prefix: 'lock:cpu:', pairs });
        const sentAt = performance.now();
        await until(
          'all events are seen',
          async () => (await eventsOf(console)) >= expected,
          60_000,
        );
        const seenAt = performance.now();
        rates.push((pairs * EVENTS_PER_PAIR) / ((seenAt - startedAt) / 1000));
        lags.push(seenAt - sentAt);
      });
      ratios.push(whole / bare);
      report(`watch.cpuPerMillion.round${round + 1}.ioredisSeconds`, bare);
      report(`watch.cpuPerMillion.round${round + 1}.wholeSeconds`, whole);
    }
  } finally {
    reader.stop();
    await console.stop();
    await Promise.all([watched.stop(), read.stop()]);
  }
  report('watch.cpuPerMillion.ratioToIoredis', median(ratios));
  report('watch.eventsPerSecond', median(rates));
  report('watch.lagMsAtEnd', quantile(lags, 1));
}

async function measureMemory(report: Report, quick: boolean): Promise<void> {
  const locks = quick ? 10_000 : 100_000;
  const redis = await startRedis();
  const console = await startConsole({ redisUrl: redis.url });
  try {
    await pause(2000);
    const before = residentBytes(console.pid);
    await fill(redis.client(), 'lock:memory:', locks);
    await until(
      'all locks are known',
      async () => (await console.query('locks', { limit: '1' })).all >= locks,
      60_000,
    );
    await pause(3000);
    report('watch.bytesPerLock', (residentBytes(console.pid) - before) / locks);
  } finally {
    await console.stop();
    await redis.stop();
  }
}

/** Time from the end of a lease to the frame that tells a browser, among many keys that Redis must expire too. */
async function measureLapses(report: Report, quick: boolean): Promise<void> {
  const others = quick ? 40_000 : 400_000;
  const locks = quick ? 100 : 1000;
  const redis = await startRedis();
  const client = redis.client();
  await fill(client, 'cold:', others);
  const console = await startConsole({ redisUrl: redis.url });
  const deadlines = new Map<string, number>();
  const lateMs: number[] = [];
  const follower = await followLocks(console.url, { q: 'lock:lapse:' }, (locksNow) => {
    const now = Date.now();
    for (const lock of locksNow) {
      const deadline = deadlines.get(lock.key);
      if (deadline === undefined || lock.state !== 'free') continue;
      deadlines.delete(lock.key);
      lateMs.push(now - deadline);
    }
  });
  try {
    for (let i = 0; i < locks; i++) {
      const leaseMs = 1000 + ((i * 7919) % 4000);
      await client.set(`lock:lapse:${i}`, 't', 'PX', leaseMs);
      deadlines.set(`lock:lapse:${i}`, Date.now() + leaseMs);
    }
    await pause(7000);
  } finally {
    follower.close();
    await console.stop();
    await redis.stop();
  }
  report('watch.lapseDetectMs.p50', median(lateMs));
  report('watch.lapseDetectMs.p99', quantile(lateMs, 0.99));
  report('watch.lapseMissed', deadlines.size);
}

/** Cuts the subscription again and again while locks change hands; every cut must leave a recorded gap. */
async function measureCuts(report: Report, quick: boolean): Promise<void> {
  const cuts = quick ? 10 : 1000;
  const redis = await startRedis();
  const client = redis.client();
  const console = await startConsole({ redisUrl: redis.url });
  let losses = 0;
  try {
    for (let cut = 0; cut < cuts; cut++) {
      const at = Date.now();
      const key = `lock:cut:${cut % 50}`;
      await client
        .pipeline()
        .call('CLIENT', 'KILL', 'TYPE', 'PUBSUB')
        .set(key, `holder-${cut}`, 'PX', 600_000)
        .exec();
      const isKnown = await until(
        'the gap is recorded and the holder known',
        async () => {
          const gaps = (await console.query('targets'))[0]?.nodes[0]?.gaps ?? [];
          const recorded = gaps.some(({ to }) => to !== null && to >= at);
          return recorded && (await console.lock(key))?.hold?.owner.id === `holder-${cut}`;
        },
        8000,
      ).catch(() => false);
      if (!isKnown) losses++;
    }
  } finally {
    await console.stop();
    await redis.stop();
  }
  report('watch.silentLosses', losses);
  report('watch.silentLosses.ofCuts', cuts);
}

async function measureStartup(report: Report, quick: boolean): Promise<void> {
  const keys = quick ? 50_000 : 1_000_000;
  const redis = await startRedis();
  const client = redis.client();
  await fill(client, 'cold:', keys * 0.9);
  await fill(client, 'lock:start:', keys * 0.1);
  const probe = redis.client();
  const quietUntil = Date.now() + (quick ? 500 : 3000);
  const quiet = await probeLatency(probe, () => Date.now() > quietUntil);
  let isReady = false;
  const startedAt = Date.now();
  const busy = probeLatency(probe, () => isReady);
  const console = await startConsole({ redisUrl: redis.url });
  isReady = true;
  try {
    const sweep = (await console.query('targets'))[0]?.nodes[0]?.sweep;
    const tookMs = (sweep?.finishedAt ?? Date.now()) - startedAt;
    report('watch.startupMs.perMillionKeys', tookMs / (keys / 1e6));
    report('watch.startup.locksFound', sweep?.locks ?? 0);
    report('watch.startup.redisP99Ratio', quantile(await busy, 0.99) / quantile(quiet, 0.99));
  } finally {
    await console.stop();
    await redis.stop();
  }
}
