import type { RedisConnection } from './contract.js';
import { adviceKey } from './names.js';

/** The lease that the console recommends for one class of locks. */
export interface LeaseAdvice {
  /** Lock class, by name without prefix and namespace; `*` stands for any run of characters. */
  lockClass: string;
  leaseMs: number;
}

export interface LeaseBounds {
  minMs: number;
  maxMs: number;
}

/** How long advice is used before it is read again; it comes from days of history and changes slowly. */
const REFRESH_MS = 30_000;

/** Whether `name` is of the class. Linear: one position to fall back to. */
function isOfClass(name: string, lockClass: string): boolean {
  let at = 0;
  let c = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (lockClass[c] === '*') {
      star = c++;
      resume = at;
    } else if (c < lockClass.length && lockClass[c] === name[at]) {
      c++;
      at++;
    } else if (star >= 0) {
      c = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (lockClass[c] === '*') c++;
  return c === lockClass.length;
}

const constantLength = ({ lockClass }: LeaseAdvice): number => lockClass.replaceAll('*', '').length;

/**
 * Advice from the fields of the hash (`README.md`, "Keys"), most specific first: the class with most
 * constant characters, among equals the alphabetically first. Leases that are no positive number are left out.
 */
export function parseLeaseAdvice(fields: Readonly<Record<string, string>>): LeaseAdvice[] {
  return Object.entries(fields)
    .map(([lockClass, lease]) => ({ lockClass, leaseMs: Math.ceil(Number(lease)) }))
    .filter(({ leaseMs }) => Number.isSafeInteger(leaseMs) && leaseMs > 0)
    .sort((a, b) => constantLength(b) - constantLength(a) || (a.lockClass < b.lockClass ? -1 : 1));
}

/** The recommended lease in ms for a lock's name within `bounds`; null without advice for its class. */
export function adviseLease(
  advice: readonly LeaseAdvice[],
  name: string,
  bounds: LeaseBounds,
): number | null {
  const fitting = advice.find(({ lockClass }) => isOfClass(name, lockClass));
  return fitting ? Math.min(bounds.maxMs, Math.max(bounds.minMs, fitting.leaseMs)) : null;
}

/**
 * The lease lengths that the console recommends for a namespace, read again every 30 s while it is asked,
 * beside the acquires and without a timer. What was read last stays in force when Redis does not answer.
 */
export class LeaseAdvisor {
  readonly #redis: Pick<RedisConnection, 'hgetall'>;
  readonly #key: string;
  readonly #bounds: LeaseBounds;
  readonly #onError: (error: unknown) => void;
  #advice: readonly LeaseAdvice[] = [];
  #nextReadAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  /** `onError` gets what reading the advice failed with; acquires go on. */
  constructor(options: {
    redis: Pick<RedisConnection, 'hgetall'>;
    namespace: string;
    bounds: LeaseBounds;
    onError: (error: unknown) => void;
  }) {
    this.#redis = options.redis;
    this.#key = adviceKey(options.namespace);
    this.#bounds = options.bounds;
    this.#onError = options.onError;
  }

  /**
   * The lease in ms for a lock's name (without prefix and namespace); `ttlMs` where nothing is recommended
   * or nothing was read yet. `now` is of a clock that only goes forward (performance.now()).
   */
  leaseFor(name: string, ttlMs: number, now: number): number {
    if (now >= this.#nextReadAt) void this.refresh(now);
    return adviseLease(this.#advice, name, this.#bounds) ?? ttlMs;
  }

  /** Reads the advice now; never rejects. Calls at the same time share one read. */
  refresh(now: number): Promise<void> {
    this.#nextReadAt = now + REFRESH_MS;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      this.#advice = parseLeaseAdvice(await this.#redis.hgetall(this.#key));
    } catch (error) {
      this.#onError(error);
    }
  }
}
