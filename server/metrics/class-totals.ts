import { waitTraits } from '@/lib/formats/format';
import type { Evidence } from '@/lib/protocol/lock';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import { countedReason, isMeasured } from '@/server/state/hold-end';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { SampledAttempts } from '@/server/store/sampled-attempts';
import { movesOf, type Seen } from '@/server/store/waiter-moves';
import { ClassBook, type ClassName } from './class-book';
import { countIn, durationsIn, type ClassFigures, type KnownEvidence } from './class-figures';

/** What a scrape is told of classes. */
export interface ToldClasses {
  /** By namespace and class. */
  classes: { name: ClassName; figures: ClassFigures }[];
  /** How many classes are summed in the one that stands for the rest. */
  merged: number;
  /** Milliseconds since the start: what {@link ClassFigures} reckons in. */
  nowMs: number;
  gaps: ReadonlyMap<Extract<Change, { kind: 'gap' }>['reason'], { count: number; ms: number }>;
}

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

/**
 * Sums by class since the start, out of the stream of changes. Counters never go backwards: an end counts as it was
 * first known, and what is corrected later stays as it was told.
 */
export class ClassTotals {
  readonly #startedAt: number;
  readonly #classify: (key: Bytes) => ClassName;
  readonly #book = new ClassBook();
  /** Holds that are open, and when they began to count. */
  readonly #open = new Map<HoldRecord, number>();
  /** Locks that somebody waits for, and how many. */
  readonly #waiting = new Map<LockRecord, number>();
  readonly #gaps = new Map<Of<'gap'>['reason'], { count: number; ms: number }>();
  readonly #sampled = new SampledAttempts();

  constructor(options: { startedAt: number; classify: (key: Bytes) => ClassName }) {
    this.#startedAt = options.startedAt;
    this.#classify = options.classify;
  }

  observe(changes: readonly Change[]): void {
    for (const change of changes) this.#take(change);
  }

  /** The classes that are exported as they are at `now` (epoch ms). Chosen once, a class stays. */
  tell(now: number): ToldClasses {
    const { classes, merged } = this.#book.tell();
    return { classes, merged, nowMs: now - this.#startedAt, gaps: this.#gaps };
  }

  #take(change: Change): void {
    switch (change.kind) {
      case 'hold-started':
        return this.#started(change);
      case 'hold-updated':
      case 'hold-renewed':
        return this.#updated(change);
      case 'hold-ended':
        return this.#ended(change);
      case 'waiting-changed':
        return this.#waitingChanged(change);
      case 'wait-ended':
        return this.#waitEnded(change);
      case 'attempts-refused':
        return this.#failed(change.key, change.count);
      case 'attempts-sampled':
        for (const { key, count } of this.#sampled.newIn(change.sample)) this.#failed(key, count);
        return;
      case 'lock-forgotten':
        return this.#forgotten(change);
      case 'gap':
        return this.#gap(change);
      case 'connection':
        return change.connected ? undefined : this.#disconnected(change.at);
      case 'hold-revised':
      case 'lock-changed':
        return;
    }
  }

  #since(at: number): number {
    return Math.max(0, at - this.#startedAt);
  }

  #started({ at, lock, hold, previousEnd }: Of<'hold-started'>): void {
    const figures = this.#book.of(lock);
    const isSeen = !hold.notes.has('started-before-watch');
    this.#opened(figures, { lock, hold, at: isSeen ? hold.since : at });
    if (!isSeen) return;
    figures.acquisitions++;
    if (previousEnd === null || hold.notes.has('started-in-gap')) return;
    figures.handoffs++;
    figures.handoffMs += Math.max(0, hold.since - previousEnd);
  }

  #opened(
    figures: ClassFigures,
    { lock, hold, at }: { lock: LockRecord; hold: HoldRecord; at: number },
  ): void {
    const since = this.#since(at);
    figures.judge(lock, since);
    // Its waiters tell of themselves: that none was refused is known.
    if (waitTraits(lock.format, lock.raw).waiters === 'fair-queue') figures.failedAttempts ??= 0;
    this.#open.set(hold, since);
    figures.held.change(1, since);
  }

  /** A hold that was restored from history is met here. */
  #updated({ at, lock, hold }: Of<'hold-updated' | 'hold-renewed'>): void {
    const figures = this.#book.of(lock);
    if (hold.end === null && !this.#open.has(hold)) this.#opened(figures, { lock, hold, at });
    else figures.judge(lock, this.#since(at));
  }

  #ended({ at, lock, hold }: Of<'hold-ended'>): void {
    const figures = this.#book.of(lock);
    const end = hold.end ?? at;
    this.#close(figures, hold, end);
    figures.judge(lock, this.#since(at));
    countIn(figures.ends, countedReason(hold));
    const evidence = weakest(hold.sinceEvidence, hold.endEvidence);
    if (evidence === null || !isMeasured(hold)) return;
    durationsIn(figures.holdMs, evidence).add(Math.max(0, end - hold.since));
  }

  #close(figures: ClassFigures, hold: HoldRecord, end: number): void {
    const since = this.#open.get(hold);
    if (since === undefined) return;
    this.#open.delete(hold);
    figures.held.change(-1, Math.max(since, this.#since(end)));
  }

  #waitingChanged(change: Of<'waiting-changed'>): void {
    const { lock, after } = change;
    const figures = this.#book.of(lock);
    if (after !== null) figures.counted();
    this.#setWaiting(figures, { lock, count: after ?? 0, seen: change });
  }

  #setWaiting(
    figures: ClassFigures,
    { lock, count, seen }: { lock: LockRecord; count: number; seen: Seen },
  ): void {
    const before = this.#waiting.get(lock) ?? 0;
    for (const { change, at } of movesOf({ before, after: count }, seen)) {
      figures.waiting.change(change, this.#since(at));
    }
    if (count > 0) this.#waiting.set(lock, count);
    else this.#waiting.delete(lock);
  }

  #waitEnded(wait: Of<'wait-ended'>): void {
    const { lock, outcome, source, evidence, waitedMs, touchesGap } = wait;
    const figures = this.#book.of(lock);
    countIn(figures.waits, outcome);
    // Whoever queued had been refused once; a token tells of the first try, which may have been granted.
    if (source !== 'token-time') figures.failedAttempts = (figures.failedAttempts ?? 0) + 1;
    if (!touchesGap && evidence !== 'unknown') durationsIn(figures.waitMs, evidence).add(waitedMs);
  }

  #failed(key: Bytes, count: number): void {
    const figures = this.#book.of(this.#classify(key));
    figures.failedAttempts = (figures.failedAttempts ?? 0) + count;
  }

  #forgotten({ at, lock }: Of<'lock-forgotten'>): void {
    const figures = this.#book.of(lock);
    if (this.#waiting.has(lock)) this.#setWaiting(figures, { lock, count: 0, seen: { at } });
    if (lock.hold) this.#close(figures, lock.hold, at);
  }

  #gap({ reason, from, to }: Of<'gap'>): void {
    const known = this.#gaps.get(reason) ?? { count: 0, ms: 0 };
    this.#gaps.set(reason, { count: known.count + 1, ms: known.ms + Math.max(0, to - from) });
  }

  /** Who waits is not known any more, and neither is who waited meanwhile. */
  #disconnected(at: number): void {
    for (const [lock] of this.#waiting) {
      this.#setWaiting(this.#book.of(lock), { lock, count: 0, seen: { at } });
    }
    this.#book.forgetWaiters();
  }
}

function weakest(a: Evidence, b: Evidence): KnownEvidence | null {
  if (a === 'unknown' || b === 'unknown') return null;
  return a === 'inferred' ? a : b;
}
