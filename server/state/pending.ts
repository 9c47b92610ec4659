/**
 * What events said about one key since it was last read. Events carry no value, so that most of it stays
 * open until the next read, or the end of the hold, settles it.
 */
export interface Pending {
  /** First and last write (`set`, `hset`, `hincrby`, `zadd`) since the read. */
  firstWriteAt: number | null;
  lastWriteAt: number | null;
  /** Times of the writes and lease extensions that are renewals if the holder proves unchanged. */
  renewalTimes: number[];
  /** `set` events on a held key: renewals by its holder, or another's writing over it. */
  rewrites: number;
  /** Those of them that came so soon after a write that they are hardly renewals. */
  doubtful: number;
  /** The key was made anew although it was held: the next event tells how. */
  madeAnewAt: number | null;
  /** The value was changed in place, as a counter is (`incrby`, `append`). */
  editedAt: number | null;
  /** Some of it was told late, so that its times are upper bounds. */
  isLate: boolean;
  /** `hincrby` events: steps of a reentry count, up or down. */
  depthSteps: number;
  /** When the lease was last set. */
  leaseAt: number | null;
  /** The last write has not had its own `expire` yet: the next one belongs to it. */
  leaseOwed: boolean;
  /** The key came from another name or database, or a dump. */
  movedInAt: number | null;
  /** Members left by name (`zrem`) or were swept out as too old. */
  removedAt: number | null;
  purgedAt: number | null;
  /** Fair queue: when waiters joined, and when some were taken from its head. */
  joinedAt: number[];
  poppedAt: number[];
}

/** A hold renewed more often than this between two reads is counted, but its rhythm is not followed. */
const MAX_TIMES = 1000;

export function createPending(): Pending {
  return {
    firstWriteAt: null,
    lastWriteAt: null,
    renewalTimes: [],
    rewrites: 0,
    doubtful: 0,
    isLate: false,
    madeAnewAt: null,
    editedAt: null,
    depthSteps: 0,
    leaseAt: null,
    leaseOwed: false,
    movedInAt: null,
    removedAt: null,
    purgedAt: null,
    joinedAt: [],
    poppedAt: [],
  };
}

export function pushTime(times: number[], at: number): void {
  if (times.length < MAX_TIMES) times.push(at);
}

/** The highest depth that `steps` changes by one must have reached, `from` one depth `to` another.
 * `to` null = unknown. The depth is at least 1 in between, for at 0 the key would be gone. */
export function leastDepthReached(from: number, to: number | null, steps: number): number {
  const target = to ?? Math.max(1, from - steps);
  const isStraight = steps === Math.abs(target - from);
  return isStraight || steps === 0 ? Math.max(from, target) : Math.max(from, target, 2);
}
