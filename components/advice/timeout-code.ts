import type { TimeoutAdvice } from '@/lib/protocol/advice';

const seconds = (ms: number): string => String(Math.ceil(ms / 100) / 10);

/** How a service sets that lease, by its library; `null` = any other. */
function inLibrary(format: string, ms: number, isRenewed: boolean): string | null {
  if (format === 'qoder') return `createLockClient({ redis, ttlMs: ${ms} });`;
  if (format.startsWith('redisson')) {
    return isRenewed
      ? `config.setLockWatchdogTimeout(${ms}); // Redisson renews at each third of it`
      : `lock.lock(${ms}, TimeUnit.MILLISECONDS);`;
  }
  if (format === 'redis-py') return `redis.lock(name, timeout=${seconds(ms)})`;
  if (format === 'shedlock')
    return `@SchedulerLock(name = "…", lockAtMostFor = "PT${seconds(ms)}S")`;
  if (format === 'spring-registry') {
    return `new RedisLockRegistry(connectionFactory, registryKey, ${ms});`;
  }
  if (format === 'redlock' || format === 'redlock-universal') {
    return `await redlock.acquire([key], ${ms});`;
  }
  if (format === 'redsync') return `redsync.WithExpiry(${ms} * time.Millisecond)`;
  if (format === 'laravel') return `Cache::lock($name, ${Math.ceil(ms / 1000)});`;
  if (format === 'bullmq') return `new Worker(name, work, { lockDuration: ${ms} });`;
  return null;
}

/** The lease as the service would set it; for libraries that are not known as Redis is told. */
export function leaseCode({ formats, recommendedMs, rule }: TimeoutAdvice): string {
  const known = formats.flatMap(
    (format) => inLibrary(format, recommendedMs, rule === 'renewals') ?? [],
  );
  return known[0] ?? `SET key token NX PX ${recommendedMs}`;
}

/** What publishing does, as commands; null where the class's clients read no published lease. */
export function publishCommand({ publish }: TimeoutAdvice): string | null {
  const lines = publish?.flatMap(({ command }) => command ?? []) ?? [];
  return lines.length > 0 ? lines.join('\n') : null;
}
