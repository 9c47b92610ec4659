import type { RedisConnection } from './contract.js';
import { LockError } from './errors.js';
import { limitKey } from './names.js';

/** Why an attempt is not admitted; the fields of RATE_LIMITED besides key and owner. */
export interface AttemptRefusal {
  /** Whose attempts were too many: this client's, or those of all clients of the namespace. */
  scope: 'client' | 'namespace';
  perSecond: number;
  /** From when on an attempt may be admitted again, in ms from now. */
  retryAfterMs: number;
}

/** Tokens taken out of the namespace's bucket; fewer than asked for means that it is empty now. */
export interface Reservation {
  granted: number;
  /** Until the bucket holds a token again. */
  retryAfterMs: number;
}

/**
 * How long a reserved block may be used. What is not used by then is forfeited: a client cannot save up
 * tokens, so that in any T ms at most `burst + perSecond × (T + 100 + round trip) / 1000` are admitted.
 */
const BLOCK_MS = 100;
const SECOND = 1000;

/** A second's worth at once, and at least one attempt when fewer than one a second are allowed. */
const burstOf = (perSecond: number): number => Math.max(1, perSecond);

/** The attempts of one client in this process. `now` (ms) is of a clock that only goes forward. */
export class TokenBucket {
  readonly perSecond: number;
  #tokens: number;
  #at = Number.NEGATIVE_INFINITY;

  /** Full at first. */
  constructor(perSecond: number) {
    this.perSecond = perSecond;
    this.#tokens = burstOf(perSecond);
  }

  /** Returns 0 when the attempt is admitted, otherwise the ms until one will be. */
  take(now: number): number {
    if (now > this.#at) {
      const refilled = ((now - this.#at) * this.perSecond) / SECOND;
      this.#tokens = Math.min(burstOf(this.perSecond), this.#tokens + refilled);
      this.#at = now;
    }
    if (this.#tokens < 1) return ((1 - this.#tokens) * SECOND) / this.perSecond;
    this.#tokens -= 1;
    return 0;
  }
}

/**
 * KEYS: the namespace's bucket, a hash of `tokens` (fraction of one allowed) and `at` (epoch ms by Redis's
 * clock). ARGV: attempts a second, burst, tokens wanted. Returns [granted, ms until the next token].
 * The bucket fills to `tokens + (now − at) × perSecond / 1000`, at most burst; a clock that goes back adds
 * nothing. A bucket that had the time to fill up is as good as none, so that the key lives that long.
 * Not idempotent: a repeated call takes tokens again, which refuses too much but never too little.
 */
const RESERVE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local at = math.min(now, tonumber(redis.call('HGET', KEYS[1], 'at') or now))
local tokens = tonumber(redis.call('HGET', KEYS[1], 'tokens') or burst)
tokens = math.min(burst, tokens + (now - at) * rate / 1000)
local granted = math.min(wanted, math.floor(tokens))
tokens = tokens - granted
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
return {granted, math.ceil(math.max(0, 1 - tokens) * 1000 / rate)}`;

/** Takes up to `wanted` tokens out of a namespace's bucket in Redis, in one round trip. */
export async function reserveAttempts(
  redis: Pick<RedisConnection, 'eval'>,
  { namespace, perSecond, wanted }: { namespace: string; perSecond: number; wanted: number },
): Promise<Reservation> {
  const key = limitKey(namespace);
  const reply = await redis.eval(RESERVE_SCRIPT, 1, key, perSecond, burstOf(perSecond), wanted);
  if (!Array.isArray(reply)) throw new Error(`unexpected answer for ${key}: ${String(reply)}`);
  return { granted: Number(reply[0]), retryAfterMs: Number(reply[1]) };
}

type Settle = { resolve: (retryAfterMs: number) => void; reject: (error: unknown) => void };

/**
 * This client's part of a namespace's attempts. Tokens are reserved in blocks of what the client asked for
 * in the last 100 ms, at most a tenth of the second's; after an empty bucket it is left alone for 100 ms.
 * So a client costs Redis about ten small scripts a second, however often it attempts.
 */
export class SharedAttempts {
  readonly perSecond: number;
  readonly #reserve: (wanted: number) => Promise<Reservation>;
  readonly #clock: () => number;
  readonly #waiting: Settle[] = [];
  #block = 0;
  #blockEndsAt = 0;
  #emptyUntil = Number.NEGATIVE_INFINITY;
  #reserving = false;
  #demandFrom = Number.NEGATIVE_INFINITY;
  #demand = 0;
  #demandBefore = 0;

  /** `clock` (ms) only goes forward. */
  constructor(options: {
    perSecond: number;
    reserve: (wanted: number) => Promise<Reservation>;
    clock: () => number;
  }) {
    this.perSecond = options.perSecond;
    this.#reserve = options.reserve;
    this.#clock = options.clock;
  }

  /**
   * 0 when the attempt is admitted, otherwise the ms until one may be; a promise when Redis has to be asked
   * first, which rejects with what that failed with.
   */
  take(): number | Promise<number> {
    const now = this.#clock();
    this.#count(now);
    const known = this.#waiting.length === 0 ? this.#known(now) : null;
    if (known !== null) return known;
    const asked = new Promise<number>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (!this.#reserving) void this.#fill();
    return asked;
  }

  #count(now: number): void {
    if (now - this.#demandFrom >= BLOCK_MS) {
      this.#demandBefore = now - this.#demandFrom < 2 * BLOCK_MS ? this.#demand : 0;
      this.#demand = 0;
      this.#demandFrom = now;
    }
    this.#demand += 1;
  }

  async #fill(): Promise<void> {
    this.#reserving = true;
    try {
      for (;;) {
        // A microtask later the other attempts of this tick stand here too, and one call serves them all.
        await Promise.resolve();
        this.#serve();
        if (this.#waiting.length === 0) return;
        await this.#reserveBlock();
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#reserving = false;
    }
  }

  async #reserveBlock(): Promise<void> {
    const fairShare = Math.floor((this.perSecond * BLOCK_MS) / SECOND);
    const expected = Math.min(fairShare, Math.max(this.#demand, this.#demandBefore));
    const wanted = Math.max(this.#waiting.length, expected);
    const { granted, retryAfterMs } = await this.#reserve(wanted);
    const now = this.#clock();
    this.#block = granted;
    this.#blockEndsAt = now + BLOCK_MS;
    if (granted < wanted) this.#emptyUntil = now + Math.max(BLOCK_MS, retryAfterMs);
    this.#serve();
  }

  /** Answers those who wait, first come first served, as far as it is known whether they are admitted. */
  #serve(): void {
    const now = this.#clock();
    while (this.#waiting.length > 0) {
      const answer = this.#known(now);
      if (answer === null) return;
      this.#waiting.shift()?.resolve(answer);
    }
  }

  /** Null when only Redis knows. */
  #known(now: number): number | null {
    if (now < this.#blockEndsAt && this.#block > 0) {
      this.#block -= 1;
      return 0;
    }
    return now < this.#emptyUntil ? this.#emptyUntil - now : null;
  }
}

/** Both limits of one client; either may be absent. */
export interface AttemptLimits {
  client: TokenBucket | null;
  namespace: SharedAttempts | null;
}

/**
 * Null when the attempt is admitted; a promise only when Redis has to be asked. An attempt that this
 * client's own limit refuses takes nothing from the namespace.
 */
export function admitAttempt(
  limits: AttemptLimits,
  now: number,
): AttemptRefusal | null | Promise<AttemptRefusal | null> {
  const { client, namespace } = limits;
  const ownWaitMs = client?.take(now) ?? 0;
  if (client && ownWaitMs > 0) return refusal('client', client.perSecond, ownWaitMs);
  if (!namespace) return null;
  const waitMs = namespace.take();
  const judged = (ms: number) => (ms > 0 ? refusal('namespace', namespace.perSecond, ms) : null);
  return typeof waitMs === 'number' ? judged(waitMs) : waitMs.then(judged);
}

const refusal = (
  scope: AttemptRefusal['scope'],
  perSecond: number,
  waitMs: number,
): AttemptRefusal => ({ scope, perSecond, retryAfterMs: Math.ceil(waitMs) });

/** RATE_LIMITED for an attempt on `key`. Fields: key, scope, perSecond, retryAfterMs. */
export function rateLimitedError(key: string, refused: AttemptRefusal): LockError {
  const whose =
    refused.scope === 'client' ? 'this client' : 'all clients of the namespace together';
  return new LockError(
    'RATE_LIMITED',
    `The attempt to take ${key} is one too many: the limit of ${whose} is ${refused.perSecond} attempts a second; try again in ${refused.retryAfterMs} ms or raise the limit.`,
    { key, ...refused },
  );
}
