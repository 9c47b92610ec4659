import { waitTraits } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import { countedReason, isMeasured } from '@/server/state/hold-end';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { ClockJumps } from './clock-jumps';
import { ROLLUP_STEP_MS } from './history-contract';
import { endedUnseen, queuedHold, toLeftWait } from './history-rows';
import { LockSums } from './lock-sums';
import { PendingWrites } from './pending-writes';
import type { PendingHistory, Recorder, RecorderOptions } from './recorder-contract';
import { pendingOf } from './recorder-pending';
import { RollupSums, stepOf, type Series } from './rollup-sums';
import { SampledAttempts } from './sampled-attempts';
import { openIn, TrackedLocks, type OpenHold } from './tracked-locks';
import { movesOf, type Seen } from './waiter-moves';
import { YoungHolds } from './young-holds';

/** While so many rows wait, open holds are not made into more: a row takes several times the room of what it tells of. */
const MOST_WAITING_ROWS = 20_000;
/** A written open hold is written again this often while it is renewed. */
const REFRESH_OPEN_MS = 60_000;
const FLUSH_EVERY_MS = 500;
/** A step is written when nothing should come for it any more; what still comes is added to it. */
const STEP_SETTLES_MS = 2000;
const MOST_CELLS = 100_000;

type HoldChange = Extract<Change, { hold: HoldRecord }>;

/** Writes history of one target. Starts its own flush; `stop` ends it with a last one. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new HistoryRecorder(options);
}

class HistoryRecorder implements Recorder {
  readonly #now: () => number;
  readonly #find: RecorderOptions['find'];
  readonly #blindSince: () => number | null;
  readonly #sums: RollupSums;
  readonly #lockSums: LockSums;
  readonly #writes: PendingWrites;
  readonly #locks = new TrackedLocks();
  readonly #sampled = new SampledAttempts();
  readonly #young: YoungHolds;
  #adopted = false;
  readonly #clock = new ClockJumps();
  readonly #timer: NodeJS.Timeout;

  constructor(options: RecorderOptions) {
    const { store, target, now, find } = options;
    const { blindSince = () => null, isStarting = () => false } = options;
    this.#now = now;
    this.#find = find;
    this.#blindSince = blindSince;
    this.#young = new YoungHolds({
      isUnwritten: ({ lock, hold }) =>
        hold.end === null && this.#locks.openOf(lock, hold)?.writtenAt === null,
      isStarting,
      begunAt: now(),
    });
    this.#sums = new RollupSums(target);
    this.#lockSums = new LockSums(target);
    this.#writes = new PendingWrites({ store, target, now });
    this.#timer = setInterval(() => void this.#flushSettled(), FLUSH_EVERY_MS).unref();
  }

  get pendingRows(): number {
    return this.#writes.size;
  }

  get lostRows(): number {
    return this.#writes.lost;
  }

  record(changes: readonly Change[]): void {
    for (const change of changes) this.#take(change);
  }

  integrate(table: LockTable, now: number): void {
    this.#followClock(now);
    if (!this.#adopted) this.#adopt(table, now);
    this.#countTo(now);
    if (this.#sums.cells > MOST_CELLS) this.#takeSteps(stepOf(now) + ROLLUP_STEP_MS);
  }

  gaveUp(times: readonly number[]): void {
    for (const at of times) this.#writes.lose(at);
  }

  keepOpen(table: LockTable): void {
    for (const lock of table.all()) {
      const { hold } = lock;
      const open = hold && this.#locks.openOf(lock, hold);
      if (!open) continue;
      const isNew = open.writtenAt === null || (hold.lastRenewalAt ?? 0) >= open.writtenAt;
      if (isNew) this.#queue(lock, hold, this.#now());
    }
  }

  async flush(): Promise<void> {
    let isMoreDue = this.#queueOpen(this.#now());
    this.#takeSteps(Infinity);
    await this.#writes.write();
    while (isMoreDue && this.#writes.size < MOST_WAITING_ROWS) {
      isMoreDue = this.#queueOpen(this.#now());
      await this.#writes.write();
    }
  }

  whileSettled<T>(read: () => Promise<T>): Promise<T> {
    return this.#writes.whileSettled(read);
  }

  pending(): PendingHistory {
    const now = this.#now();
    this.#followClock(now);
    // Else what lasts would be known up to the last second alone, and its share of a step that has just begun be far off.
    if (this.#adopted) this.#countTo(now);
    return pendingOf(this.#sums, this.#lockSums, this.#writes);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #flushSettled(): Promise<void> {
    const now = this.#now();
    const { setBacks } = this.#writes;
    this.#queueOpen(now);
    const until = stepOf(now - STEP_SETTLES_MS);
    this.#takeSteps(until);
    await this.#writes.write();
    await this.#writes.markWhole(until, this.#blindSince(), setBacks);
  }

  #countTo(now: number): void {
    this.#sums.advance(now);
    this.#lockSums.advance(now);
  }

  /** Time that passes twice has two sets of figures in one: it is as unknown as time that nobody watched. */
  #followClock(now: number): void {
    const twice = this.#clock.follow(now);
    if (!twice) return;
    this.#sums.setBack(now);
    this.#lockSums.setBack(now);
    this.#writes.setBack();
    this.#writes.addGap({ ...twice, reason: 'clock-set-back' });
  }

  /** Hands over the steps that began before `before`, the border of a step. */
  #takeSteps(before: number): void {
    this.#writes.addSteps({ rollups: this.#sums.take(before), blame: [] });
    this.#writes.addSteps(this.#lockSums.take(before, this.#now()));
  }

  #take(change: Change): void {
    switch (change.kind) {
      case 'hold-started':
        return this.#started(change);
      case 'hold-updated':
        return this.#updated(change);
      case 'hold-renewed':
        return this.#renewed(change);
      case 'hold-ended':
        return this.#endedHold(change);
      case 'hold-revised':
        return this.#revised(change);
      case 'waiting-changed':
        return this.#waitingChanged(change.lock, change.after, change);
      case 'wait-ended':
        return this.#waitEnded(change);
      case 'lock-forgotten':
        return this.#forgotten(change.lock, change.at);
      case 'gap':
        return this.#writes.addGap({ from: change.from, to: change.to, reason: change.reason });
      case 'attempts-refused':
        return this.#attempted(change, change);
      case 'attempts-sampled':
        for (const failed of this.#sampled.newIn(change.sample)) this.#attempted(failed, change);
        return;
      case 'lock-changed':
      case 'job-looked':
      case 'connection':
        return;
    }
  }

  #started(change: Extract<Change, { kind: 'hold-started' }>): void {
    const { at, lock, hold, previousEnd } = change;
    const isSeen = !hold.notes.has('started-before-watch');
    const series = this.#open(lock, hold, { at, since: isSeen ? hold.since : null });
    if (!isSeen) return;
    this.#sums.acquired(series, hold.since);
    this.#lockSums.acquired(lock, hold.since);
    const isSeenBefore = previousEnd !== null && !hold.notes.has('started-in-gap');
    const gapMs = isSeenBefore ? hold.since - previousEnd : -1;
    if (gapMs < 0) return;
    this.#sums.handedOff(series, hold.since, gapMs);
    this.#lockSums.handedOff(lock, hold.since, gapMs);
  }

  #open(
    lock: LockRecord,
    hold: HoldRecord,
    { at, since }: { at: number; since: number | null },
  ): Series {
    const tracked = this.#locks.of(lock);
    if (tracked.open) {
      this.#sums.closed(tracked.open.series, at, at);
      this.#lockSums.closed(lock, at, at);
    }
    const series = this.#sums.seriesOf(lock);
    const { waiters } = waitTraits(lock.format, lock.raw);
    if (waiters === 'fair-queue' || lock.subscribers !== null) {
      series.seesWaiters = true;
    }
    if (waiters === 'fair-queue') series.seesWaits = series.seesAttempts = true;
    tracked.open = { generation: hold.generation, series, since, writtenAt: null };
    this.#sums.opened(series, since ?? at, at);
    this.#lockSums.opened(lock, hold, since ?? at);
    this.#young.add({ at, lock, hold }, since !== null);
    return series;
  }

  /** Holds that were restored, or found before the recorder listened: counted from now on. */
  #adopt(table: LockTable, at: number): void {
    this.#adopted = true;
    for (const lock of table.all()) {
      const isTracked = this.#locks.find(lock)?.open;
      if (lock.hold && !isTracked) this.#open(lock, lock.hold, { at, since: null });
    }
  }

  #updated({ lock, hold, at }: HoldChange): void {
    const open = this.#locks.openOf(lock, hold);
    if (!open) {
      if (hold.end === null) this.#open(lock, hold, { at, since: null });
      return;
    }
    const series = this.#sums.seriesOf(lock);
    if (series !== open.series) {
      this.#sums.closed(open.series, at, at);
      this.#sums.opened(series, at, at);
      open.series = series;
    }
    if (open.since !== null && hold.since !== open.since) {
      this.#sums.correctHeld(series, { from: hold.since, to: open.since, at });
      this.#lockSums.startCorrected(lock, hold.since);
      open.since = hold.since;
    }
    if (open.writtenAt !== null) this.#queue(lock, hold, at);
  }

  #renewed({ lock, hold, at }: HoldChange): void {
    const open = this.#locks.openOf(lock, hold);
    if (!open) {
      if (hold.end === null) this.#open(lock, hold, { at, since: null });
    } else if (open.writtenAt !== null && at - open.writtenAt >= REFRESH_OPEN_MS) {
      this.#queue(lock, hold, at);
    }
  }

  #endedHold({ lock, hold, at }: HoldChange): void {
    const end = hold.end ?? at;
    const reason = countedReason(hold);
    const tracked = this.#locks.of(lock);
    const open = openIn(tracked, hold);
    const series = open?.series ?? this.#sums.seriesOf(lock);
    if (open) {
      this.#sums.closed(series, end, at);
      this.#lockSums.closed(lock, end, at);
    }
    this.#sums.ended(series, end, reason, 1);
    this.#lockSums.ended(lock, end, reason, 1);
    if (isMeasured(hold) && end >= hold.since) {
      this.#sums.held(series, end, end - hold.since);
      this.#lockSums.held(lock, end, end - hold.since);
    }
    this.#queueIn(open, { lock, hold, at });
    tracked.open = null;
    tracked.ended = { generation: hold.generation, series, end, reason };
  }

  /** The sketch keeps the length that was first believed; sums, ends and the row follow the correction. */
  #revised({ lock, hold, at }: HoldChange): void {
    this.#queue(lock, hold, at);
    const tracked = this.#locks.find(lock);
    const before = tracked?.ended;
    if (!tracked || before?.generation !== hold.generation) return;
    const { series, reason } = before;
    this.#sums.ended(series, before.end, reason, -1);
    this.#lockSums.ended(lock, before.end, reason, -1);
    if (hold.end === null) {
      tracked.ended = null;
      this.#lockSums.reopened(lock, hold, before.end);
      this.#open(lock, hold, { at, since: hold.since });
      const open = this.#locks.openOf(lock, hold);
      if (open) open.writtenAt = at;
      this.#sums.correctHeld(series, { from: before.end, to: hold.since, at });
      return;
    }
    const now = { ...before, end: hold.end, reason: countedReason(hold) };
    this.#sums.ended(series, now.end, now.reason, 1);
    this.#lockSums.ended(lock, now.end, now.reason, 1);
    this.#sums.correctHeld(series, { from: before.end, to: now.end, at });
    this.#lockSums.endCorrected(lock, before.end, now.end);
    tracked.ended = now;
  }

  #waitingChanged(lock: LockRecord, after: number | null, seen: Seen): void {
    const { at } = seen;
    const tracked = this.#locks.of(lock);
    const series = this.#sums.seriesOf(lock);
    const before = tracked.waiting;
    if (before && before.series !== series) {
      this.#sums.waitersChanged(before.series, -before.count, at);
    }
    const known = before?.series === series ? before.count : 0;
    if (after !== null || known > 0) {
      for (const move of movesOf({ before: known, after: after ?? 0 }, seen)) {
        this.#sums.waitersChanged(series, move.change, move.at);
      }
      const ofLock = { before: before?.count ?? 0, after: after ?? 0 };
      this.#lockSums.waitersChanged(lock, movesOf(ofLock, seen), at);
    }
    tracked.waiting = after === null || after === 0 ? null : { series, count: after };
  }

  #waitEnded(change: Extract<Change, { kind: 'wait-ended' }>): void {
    const { at, lock, waitedMs: ms, source, outcome } = change;
    if (change.touchesGap || change.evidence === 'unknown') return;
    const wait = { at, ms, source, left: outcome === 'left' };
    this.#sums.waited(this.#sums.seriesOf(lock), wait);
    this.#lockSums.waited(lock, wait);
    if (wait.left) this.#writes.addLeftWait(toLeftWait(change));
    else this.#tellWait(lock, change);
  }

  /** A wait may be told of when the row of its hold is already written. */
  #tellWait(
    lock: LockRecord,
    { waitedMs, source, at }: { waitedMs: number; source: string; at: number },
  ) {
    const isIts = ({ waitedMs: waited }: HoldRecord): boolean =>
      waited?.ms === waitedMs && waited.source === source;
    const ended = lock.ended.find(isIts);
    if (ended) this.#queue(lock, ended, at);
    else if (lock.hold && isIts(lock.hold) && this.#locks.openOf(lock, lock.hold)?.writtenAt) {
      this.#queue(lock, lock.hold, at);
    }
  }

  #attempted(
    { db, key, count }: { db: number; key: Bytes; count: number },
    { at }: { at: number },
  ) {
    const lock = this.#find(db, key);
    if (!lock) return;
    this.#sums.attempted(this.#sums.seriesOf(lock), at, count);
    this.#lockSums.attempted(lock, at, count);
  }

  #forgotten(lock: LockRecord, at: number): void {
    const tracked = this.#locks.find(lock);
    if (!tracked) return;
    if (tracked.waiting) this.#waitingChanged(lock, null, { at });
    this.#locks.forget(lock);
    this.#lockSums.forgotten(lock);
    const { open } = tracked;
    if (!open) return;
    this.#sums.closed(open.series, at, at);
    this.#lockSums.closed(lock, at, at);
    if (open.writtenAt === null || !lock.hold) return;
    this.#writes.addHold(endedUnseen(lock, lock.hold, at));
  }

  #queue(lock: LockRecord, hold: HoldRecord, at: number): void {
    this.#queueIn(this.#locks.openOf(lock, hold), { lock, hold, at });
  }

  #queueIn(
    open: OpenHold | null,
    { lock, hold, at }: { lock: LockRecord; hold: HoldRecord; at: number },
  ): void {
    // One that was met may be in the store from before; one that is not open has been written when it ended.
    const isNew = open !== null && open.since !== null && open.writtenAt === null;
    if (open) open.writtenAt = at;
    this.#writes.addHold(queuedHold(lock, hold, isNew));
  }

  /** Writes holds that are still open and no longer young. True = there was not room for all. */
  #queueOpen(now: number): boolean {
    const room = MOST_WAITING_ROWS - this.#writes.size;
    return this.#young.takeOpen({ now, room }, ({ lock, hold }) => this.#queue(lock, hold, now));
  }
}
