import {
  admitAttempt,
  RefusalTally,
  reserveAttempts,
  SharedAttempts,
  TokenBucket,
  type AttemptLimits,
  type AttemptRefusal,
} from './attempt-limit.js';
import type { LockClientOptions, RedisConnection } from './contract.js';

/** Attempts beyond the limits are refused before they reach Redis. */
export class Protection {
  readonly #limits: AttemptLimits;
  readonly #tally = new RefusalTally();

  /** Throws BAD_OPTIONS. */
  constructor(redis: RedisConnection, { limits, namespace = '' }: LockClientOptions) {
    const own = limits?.attemptsPerSecond;
    const shared = limits?.namespaceAttemptsPerSecond;
    this.#limits = {
      client: own === undefined ? null : new TokenBucket(own),
      namespace:
        shared === undefined
          ? null
          : new SharedAttempts({
              perSecond: shared,
              reserve: (wanted) => reserveAttempts(redis, { namespace, perSecond: shared, wanted }),
              clock: () => performance.now(),
            }),
    };
  }

  /** Null when the attempt is admitted; a promise only where Redis has to be asked. */
  admit(): AttemptRefusal | null | Promise<AttemptRefusal | null> {
    return admitAttempt(this.#limits, performance.now());
  }

  /** How many refusals to report now; 0 for none yet. */
  toReport(): number {
    return this.#tally.add(performance.now());
  }
}
