import type { Way } from './claim.js';
import { LockAcquisitionTimeoutException, LockError } from './errors.js';

export const closed = (): LockError =>
  new LockError('CLIENT_CLOSED', 'This lock client is closed; make another one.');

export const unanswered = (way: Way, waitedMs: number): LockError =>
  new LockError(
    'REDIS_UNREACHABLE',
    `Redis has not answered the first attempt at ${way.key} within ${waitedMs} ms.`,
    { key: way.key, waitedMs },
  );

export const abortedBefore = (way: Way, signal: AbortSignal): LockError =>
  new LockError(
    'ABORTED',
    `The attempt at ${way.key} was given up by its signal before it began.`,
    { key: way.key, waitedMs: 0 },
    signal.reason,
  );

export const blockedByItself = (way: Way): LockError =>
  new LockError(
    'BAD_OPTIONS',
    `This task reads under ${way.key} and would wait for itself; release the read lock before taking the write lock.`,
    { key: way.key },
  );

export const refused = (way: Way, instance: string, holder: string): LockError =>
  new LockAcquisitionTimeoutException(
    `The lock ${way.key} is held${holder && ` by ${holder}`}, and the attempt does not wait.`,
    { key: way.key, owner: instance, holder: holder || null, waitedMs: 0, waitMs: 0 },
  );
