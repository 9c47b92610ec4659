import { printable, type Bytes } from '@/lib/protocol/bytes';
import { NOISE, type SideKey } from './format';

export const PREFIX = 'uniquejobs:';
/** All digests that are locked, and those that go by time; both score times. */
export const DIGESTS = 'uniquejobs:digests';
export const EXPIRING_DIGESTS = 'uniquejobs:expiring_digests';

/** `uniquejobs:<hex>`, the digest of a job and its arguments; `:RUN` is the lock of its run. */
const DIGEST = /^uniquejobs:[0-9a-f]{16,128}(?::RUN)?$/;
const COMPANION = /:(?:LOCKED|QUEUED|PRIMED|INFO)$/;

export const isDigest = (key: Bytes): boolean => key.startsWith(PREFIX) && DIGEST.test(key);

/** The keys around a digest (SidekiqUniqueJobs::Key). */
export const namesAround = (digest: Bytes) => ({
  /** Hash: job id and when it took the lock. */
  locked: `${digest}:LOCKED`,
  /** Lists: job ids on their way to the lock; a waiter blocks from the one to the other. */
  queued: `${digest}:QUEUED`,
  primed: `${digest}:PRIMED`,
  /** String: JSON about the job, if that is enabled. */
  info: `${digest}:INFO`,
});

/** Everything else under the prefix is the library's bookkeeping. */
export function readSideKey(key: Bytes): SideKey | null {
  if (!key.startsWith(PREFIX) || DIGEST.test(key)) return null;
  const digest = key.replace(COMPANION, '');
  return digest !== key && DIGEST.test(digest) ? { parent: digest } : NOISE;
}

/** Why a digest is no lock without this key. */
export const missing = (companion: Bytes): string =>
  `the key ${printable(companion)}, which says who holds it, is missing`;
