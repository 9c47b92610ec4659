import type { LockSums } from './lock-sums';
import type { PendingWrites } from './pending-writes';
import type { PendingHistory } from './recorder-contract';
import type { RollupSums } from './rollup-sums';

/** What is added up and what waits to be written, together. Each part is made when it is read. */
export const pendingOf = (
  sums: RollupSums,
  locks: LockSums,
  writes: PendingWrites,
): PendingHistory => ({
  get classRollups() {
    return [...writes.rollups.filter(({ lock }) => lock === null), ...sums.peek()];
  },
  get lockRollups() {
    return [...writes.rollups.filter(({ lock }) => lock !== null), ...locks.peek().rollups];
  },
  get blame() {
    return [...writes.blame, ...locks.peek().blame];
  },
  get holds() {
    return writes.holds;
  },
  get leftWaits() {
    return writes.leftWaits;
  },
  get gaps() {
    return writes.gaps;
  },
});
