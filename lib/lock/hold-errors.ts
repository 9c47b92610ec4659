import { LockError, LockLostError } from './errors.js';

/** Why a lease was lost. */
export type LossReason = 'lease-ended' | 'revoked' | 'unreachable' | 'closed';

/** What every error of a hold tells of it. */
export interface HoldFacts {
  key: string;
  owner: string;
  fence: number;
}

export function lost(about: HoldFacts, reason: LossReason | 'released'): LockLostError {
  const why = {
    'lease-ended': 'its lease ended before it was renewed',
    revoked: 'it was taken away in Redis',
    unreachable: 'Redis could not be reached before its lease ended',
    closed: 'its client was closed',
    released: 'it was released',
  }[reason];
  const text = `The lock ${about.key} is no longer ours: ${why}; stop what it protects.`;
  return new LockLostError(text, { ...about, reason });
}

export const notHeld = (about: HoldFacts): LockError =>
  new LockError('NOT_HELD', `The lock ${about.key} was released already.`, { ...about });

/** Nothing was heard until the lease was over. */
export function silent(about: HoldFacts): LockError {
  const text = `Redis has not answered while ${about.key} was held or released; its lease has ended by now.`;
  return new LockError('REDIS_UNREACHABLE', text, { ...about });
}
