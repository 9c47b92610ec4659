import type { EndReason, HoldNote } from '@/lib/protocol/lock';
import type { HoldRecord } from './lock-record';

/** Notes of holds whose length is a bound and not a measurement. */
const NOT_MEASURED: readonly HoldNote[] = [
  'touches-gap',
  'started-in-gap',
  'ended-in-gap',
  'started-before-watch',
];

/** Whether both ends were seen, so that its length counts in distributions. */
export const isMeasured = ({ notes }: Pick<HoldRecord, 'notes'>): boolean =>
  !NOT_MEASURED.some((note) => notes.has(note));

/**
 * The reason under which an ended hold is counted. A lease that ends after the work was seen to be finished took
 * nothing from its holder.
 */
export const countedReason = ({ endReason, finishedAt }: HoldRecord): EndReason =>
  endReason === 'lease-ended' && finishedAt !== null ? 'released' : (endReason ?? 'unknown');
