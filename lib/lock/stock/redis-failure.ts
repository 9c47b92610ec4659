import { LockError } from '../errors.js';
import { fromRedis } from '../from-redis.js';

const SENTENCES: Partial<Record<string, string>> = {
  WRONG_TYPE: 'A key of the stock holds something else; give the stock another name or prefix',
  REDIS_FORBIDS:
    "Redis forbids this user what a stock needs; allow it the stock's keys and EVAL, EVALSHA",
  REDIS_UNREACHABLE:
    'No answer from Redis, so whether it happened is open; repeat the call with the same id',
};

/** The lock client's error for what Redis said, in the stock's words. */
export function redisFailure(error: unknown): LockError {
  const failure = fromRedis(error);
  const sentence = SENTENCES[failure.code];
  if (sentence === undefined || failure === error) return failure;
  const { said } = failure.fields;
  return new LockError(failure.code, `${sentence} (${String(said)}).`, failure.fields, error);
}
