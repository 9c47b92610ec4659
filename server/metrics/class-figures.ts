import { pattern } from '@/lib/formats/pattern';
import { waitTraits, type LockFormat } from '@/lib/formats/format';
import type { EndReason, Evidence } from '@/lib/protocol/lock';
import type { LockRecord } from '@/server/state/lock-record';
import { waitingCount } from '@/server/state/waiting';
import { Durations } from './durations';
import { TimeTotal } from './time-total';

/** For so long a lock whose waiters nobody can count speaks for its class: a library may be changed for another. */
const SPEAKS_MS = 10 * 60_000;

const JUDGED_MS = 1000;

export type KnownEvidence = Exclude<Evidence, 'unknown'>;
export type WaitOutcome = 'granted' | 'left';

/** What the locks of one class did since the start. Times are milliseconds since then. */
export class ClassFigures {
  acquisitions = 0;
  /** Attempts that did not get the lock; null until somebody told of any. */
  failedAttempts: number | null = null;
  handoffs = 0;
  handoffMs = 0;
  readonly ends = new Map<EndReason, number>();
  readonly waits = new Map<WaitOutcome, number>();
  readonly holdMs = new Map<KnownEvidence, Durations>();
  readonly waitMs = new Map<KnownEvidence, Durations>();
  readonly held = new TimeTotal();
  readonly waiting = new TimeTotal();
  /** Waiters have been counted at some time, so that their total may be told. */
  hasCounted = false;
  /** A count of waiters has come since the connection was last made. */
  isCurrent = false;
  #judged: LockFormat | null = null;
  #judgedAt = 0;
  #uncountableAt = Number.NEGATIVE_INFINITY;

  /** Takes note of whether waiters of this lock can be counted; of one library it asks once in a while. */
  judge(lock: LockRecord, at: number): void {
    if (lock.format === this.#judged && at < this.#judgedAt + JUDGED_MS) return;
    this.#judged = lock.format;
    this.#judgedAt = at;
    if (waitingCount(lock) !== null) {
      this.counted();
      return;
    }
    const { waiters } = waitTraits(lock.format, lock.raw);
    // A declared name is of no known library until its value is read, and says nothing of its class.
    const isUncountable = waiters === 'poll' || waiters === 'blocked';
    if (isUncountable && lock.format.id !== pattern.id) this.#uncountableAt = at;
  }

  /** How many wait for one of its locks was told. */
  counted(): void {
    this.hasCounted = true;
    this.isCurrent = true;
  }

  /** What was known of waiters is old. */
  forgetWaiters(): void {
    this.isCurrent = false;
    this.#judged = null;
  }

  /** Whether all its waiters can be counted, as far as its locks have shown. */
  isObservable(now: number): boolean {
    return this.isCurrent && now - this.#uncountableAt >= SPEAKS_MS;
  }

  /** Adds what another class did. */
  merge(other: ClassFigures): void {
    this.acquisitions += other.acquisitions;
    if (other.failedAttempts !== null) {
      this.failedAttempts = (this.failedAttempts ?? 0) + other.failedAttempts;
    }
    this.handoffs += other.handoffs;
    this.handoffMs += other.handoffMs;
    for (const [reason, count] of other.ends) countIn(this.ends, reason, count);
    for (const [outcome, count] of other.waits) countIn(this.waits, outcome, count);
    for (const [evidence, durations] of other.holdMs)
      durationsIn(this.holdMs, evidence).merge(durations);
    for (const [evidence, durations] of other.waitMs)
      durationsIn(this.waitMs, evidence).merge(durations);
    this.held.merge(other.held);
    this.waiting.merge(other.waiting);
    this.hasCounted ||= other.hasCounted;
    this.isCurrent ||= other.isCurrent;
    this.#uncountableAt = Math.max(this.#uncountableAt, other.#uncountableAt);
  }
}

export function countIn<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

export function durationsIn(
  all: Map<KnownEvidence, Durations>,
  evidence: KnownEvidence,
): Durations {
  let durations = all.get(evidence);
  if (!durations) all.set(evidence, (durations = new Durations()));
  return durations;
}
