import type { Bytes } from '@/lib/protocol/bytes';
import type { Evidence } from '@/lib/protocol/lock';
import type { GapReason } from '@/lib/protocol/target';
import type { TraceSampleObservation } from '@/server/watch/observation';
import type { HoldRecord, LockRecord, WaitSource } from './lock-record';

/** What an observation changed in the table. `lock` is the live record: read it now or copy. */
export type Change =
  | {
      kind: 'hold-started';
      at: number;
      lock: LockRecord;
      hold: HoldRecord;
      previousEnd: number | null;
    }
  /** Owner named, depth or lease changed, finished, note added. */
  | { kind: 'hold-updated'; at: number; lock: LockRecord; hold: HoldRecord }
  | { kind: 'hold-renewed'; at: number; lock: LockRecord; hold: HoldRecord; times: number }
  | { kind: 'hold-ended'; at: number; lock: LockRecord; hold: HoldRecord }
  /** The end of an ended hold was corrected. */
  | { kind: 'hold-revised'; at: number; lock: LockRecord; hold: HoldRecord }
  | {
      kind: 'waiting-changed';
      at: number;
      lock: LockRecord;
      before: number | null;
      after: number | null;
      /** Since when those who came wait, and until when those who went had waited; the rest came or went at `at`. */
      came?: readonly number[];
      went?: readonly number[];
    }
  /** One owner's wait is over. Evidence of the start decides whether it enters percentiles. */
  | {
      kind: 'wait-ended';
      at: number;
      lock: LockRecord;
      owner: Bytes;
      waitedMs: number;
      source: WaitSource;
      evidence: Evidence;
      outcome: 'granted' | 'left';
      touchesGap: boolean;
    }
  /** A client refused attempts of its own users: too many in a second. */
  | {
      kind: 'attempts-refused';
      at: number;
      db: number;
      key: Bytes;
      owner: Bytes;
      count: number;
    }
  /** A trace saw clients that try too often; it tells the same again with newer figures. */
  | { kind: 'attempts-sampled'; at: number; sample: TraceSampleObservation }
  /** The job of a free lock was looked for among those that run; null = that could not be told. */
  | { kind: 'job-looked'; at: number; lock: LockRecord; isActive: boolean | null }
  /** State only (free, orphan-queue, broken, members). */
  | { kind: 'lock-changed'; at: number; lock: LockRecord }
  /** The record was dropped: free for long, or it turned out to be no lock. */
  | { kind: 'lock-forgotten'; at: number; lock: LockRecord }
  | { kind: 'gap'; at: number; from: number; to: number; reason: GapReason }
  | { kind: 'connection'; at: number; connected: boolean };

export interface LockRef {
  db: number;
  key: Bytes;
}
