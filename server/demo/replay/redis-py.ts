import type { Redis } from 'ioredis';
import type { Random } from '@/server/demo/random';

/** 100-nanosecond steps between 1582-10-15 and 1970-01-01: the epoch of version-1 UUIDs (RFC 9562). */
const UUID1_EPOCH_OFFSET = 0x01b21dd213814000n;

/** Compares and deletes, as redis-py's Lock does. KEYS: lock. ARGV: token. Returns 1 when it was ours. */
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** 32 hex digits of a version-1 UUID made at `at` on a machine with that MAC address. */
export function uuid1Token(at: number, random: Random, mac: string): string {
  const time = (BigInt(at) * 10_000n + UUID1_EPOCH_OFFSET).toString(16).padStart(15, '0');
  return `${time.slice(7)}${time.slice(3, 7)}1${time.slice(0, 3)}8${random.hex(3)}${mac}`;
}

/** redis-py's `Lock(name, timeout)`: polls every 100 ms, no renewal. `leaseMs` null = its default, none. */
export async function acquirePy(
  redis: Redis,
  lock: { name: string; token: string; leaseMs: number | null; patienceMs: number },
): Promise<boolean> {
  const giveUpAt = Date.now() + lock.patienceMs;
  for (;;) {
    const taken =
      lock.leaseMs === null
        ? await redis.set(lock.name, lock.token, 'NX')
        : await redis.set(lock.name, lock.token, 'PX', lock.leaseMs, 'NX');
    if (taken === 'OK') return true;
    if (Date.now() >= giveUpAt) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** False = LockNotOwnedError. */
export async function releasePy(redis: Redis, name: string, token: string): Promise<boolean> {
  return (await redis.eval(RELEASE, 1, name, token)) === 1;
}
