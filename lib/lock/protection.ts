import {
  admitAttempt,
  reserveAttempts,
  SharedAttempts,
  TokenBucket,
  type AttemptLimits,
  type AttemptRefusal,
} from './attempt-limit.js';
import type { Way } from './claim.js';
import type { LockClientOptions, RedisConnection } from './contract.js';
import { fromRedis } from './from-redis.js';
import { limitKey } from './names.js';

/** Refusals are reported at once, and then together. */
const REPORT_MS = 1000;

/** Attempts beyond the limits are refused before they reach Redis; how many is reported once a second at most. */
export class Protection {
  readonly #limits: AttemptLimits;
  readonly #report: (way: Way, count: number) => void;
  #unreported = 0;
  #last: Way | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `report` is told how many were refused, with the way of the last. */
  constructor(
    redis: RedisConnection,
    { limits, namespace = '' }: LockClientOptions,
    report: (way: Way, count: number) => void,
  ) {
    this.#report = report;
    const own = limits?.attemptsPerSecond;
    const shared = limits?.namespaceAttemptsPerSecond;
    this.#limits = {
      client: own === undefined ? null : new TokenBucket(own),
      namespace:
        shared === undefined
          ? null
          : new SharedAttempts({
              perSecond: shared,
              reserve: async (wanted) => {
                try {
                  return await reserveAttempts(redis, { namespace, perSecond: shared, wanted });
                } catch (error) {
                  throw fromRedis(error, limitKey(namespace));
                }
              },
              clock: () => performance.now(),
            }),
    };
  }

  /** Null when the attempt is admitted; a promise only where Redis has to be asked. */
  admit(): AttemptRefusal | null | Promise<AttemptRefusal | null> {
    return admitAttempt(this.#limits, performance.now());
  }

  /** Counts an attempt that was not admitted. */
  refused(way: Way): void {
    this.#unreported += 1;
    this.#last = way;
    if (!this.#timer) this.#tell();
  }

  /** Reports what was not yet. */
  stop(): void {
    if (this.#unreported > 0) this.#tell();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #tell(): void {
    if (this.#last) this.#report(this.#last, this.#unreported);
    this.#unreported = 0;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#unreported > 0) this.#tell();
    }, REPORT_MS).unref();
  }
}
