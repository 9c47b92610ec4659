import { isLockError, LockError } from '../errors.js';

/**
 * What a failed command means to the caller. REDIS_UNREACHABLE says that the outcome is open: the answer was lost,
 * perhaps not the command.
 */
export function redisFailure(error: unknown): LockError {
  if (isLockError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith('WRONGTYPE')) {
    const sentence = 'A key of the stock holds something else; give the stock another name or prefix.';
    return new LockError('WRONG_TYPE', sentence, { answer: text }, error);
  }
  if (text.startsWith('NOPERM')) {
    return new LockError('REDIS_FORBIDS', `Redis forbids it: ${text}`, { answer: text }, error);
  }
  if (error instanceof Error && error.name === 'ReplyError') {
    return new LockError('REDIS_ERROR', `Redis answers: ${text}`, { answer: text }, error);
  }
  const sentence = `No answer from Redis (${text}), so the outcome is open; repeat the call with the same id.`;
  return new LockError('REDIS_UNREACHABLE', sentence, { reason: text }, error);
}
