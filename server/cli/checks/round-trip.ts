import { randomUUID } from 'node:crypto';
import { isLockError, type LockErrorCode } from '@/lib/lock/index';
import { fenceKey } from '@/lib/lock/names';
import { isRefusal } from '@/server/redis/redis-error';
import { createLockProvider } from '@/server/lock-provider/index';
import { fail, ok, type CheckResult, type Patient } from './check';

const LEASE_MS = 5_000;

/** What each refusal of the client means, in the words of the other checks. */
const CAUSES: Partial<Record<LockErrorCode, string>> = {
  REDIS_TOO_OLD: 'version',
  REDIS_WITHOUT_ACCESS_CONTROL: 'access-control',
  REDIS_FORBIDS: 'permissions',
  REDIS_UNREACHABLE: 'connection',
};

/**
 * Takes a lock that nobody else can want and gives it back, as a service would: same settings, same client.
 * `ok` only where the key was there in between and was gone afterwards. Leaves nothing behind.
 */
export async function roundTrip(patient: Patient): Promise<CheckResult> {
  const { settings, redis } = patient;
  const silence = { info: () => undefined, warn: () => undefined };
  try {
    await using provider = await createLockProvider(settings, {
      log: silence,
      client: { app: 'lockscope status', reports: 'off' },
    });
    const startedAt = performance.now();
    const name = `lockscope-probe:${randomUUID()}`;
    const lock = await provider.client.acquire(name, { ttlMs: LEASE_MS });
    const wasThere = (await redis.exists(lock.key)) === 1;
    await lock.release();
    const isThere = (await redis.exists(lock.key)) === 1;
    const tookMs = Math.ceil(performance.now() - startedAt);
    await forgetFence(patient, lock.key);
    if (wasThere && !isThere) {
      return { id: 'round-trip', ...ok(`A lock was taken and given back in ${tookMs} ms.`) };
    }
    const what = wasThere ? 'was still there after its release' : 'was not there while it was held';
    return {
      id: 'round-trip',
      ...fail(
        `The key ${lock.key} ${what}.`,
        'Have redis_url name the primary itself, no proxy that splits reads.',
      ),
    };
  } catch (error) {
    if (!isLockError(error)) throw error;
    const remedy = 'lockscope doctor looks further.';
    return { id: CAUSES[error.code] ?? 'round-trip', ...fail(error.message, remedy) };
  }
}

/** The counter of a lock that never comes again; it would be gone after a day. */
async function forgetFence({ redis }: Patient, key: string): Promise<void> {
  try {
    await redis.del(fenceKey(key));
  } catch (error) {
    // A user without DEL leaves it to its time to live.
    if (!isRefusal(error)) throw error;
  }
}
