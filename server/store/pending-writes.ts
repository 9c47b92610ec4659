import { isCodedError } from '@/lib/protocol/errors';
import type { Gap } from '@/lib/protocol/target';
import { createGate } from './gate';
import { rowOf, type QueuedHold } from './history-rows';
import { ROLLUP_STEP_MS, type BlameRow, type Rollup, type WaitRow } from './history-contract';
import { newPart } from './page-rows';
import type { RecorderOptions } from './recorder-contract';
import { stepOf } from './rollup-sums';
import { createSerial } from './serial';
import type { HoldRecord } from '@/server/state/lock-record';
import type { HoldRow, Store } from './store-contract';
import { blameBytes, rollupBytes, waitBytes } from './waiting-bytes';

/**
 * What may wait while the store is broken, so that a console with little memory outlives it. Beyond it what comes is
 * given up and counted, the finest first: holds and waits, then figures of single locks, then those of classes. The
 * oldest are kept: they join what is written without a break, tell how the trouble began, and are nowhere else, while
 * the newest are what the console shows live.
 */
const ROOM_BYTES = 64 * 1024 * 1024;
/** How much of the room may be taken when another of these is added. */
const SHARES = { single: 0.5, lock: 0.75, class: 1 };
/** Rows in one transaction: what each costs on its own is then little beside what all cost together. */
const BATCH_ROWS = 4000;

export interface StepRows {
  rollups: readonly Rollup[];
  blame: readonly BlameRow[];
}

interface PendingStep {
  rollups: Rollup[];
  blame: BlameRow[];
  /** How many of them, the first, were given to the store, which has not said yet that it has them. */
  tried: { rollups: number; blame: number; part: number } | null;
}

interface PendingWritesOptions extends Pick<RecorderOptions, 'store' | 'target' | 'now'> {
  roomBytes?: number;
}

/** Rows on their way into the store. A row stays here until the store has said that it is durable. */
export class PendingWrites {
  readonly #store: Store;
  readonly #target: string;
  readonly #holds = new Map<HoldRecord, QueuedHold>();
  #leftWaits: WaitRow[] = [];
  /** By step: a step is written whole, so that it is one page each. */
  readonly #steps = new Map<number, PendingStep>();
  #stepRows = 0;
  readonly #roomBytes: number;
  #bytes = 0;
  /** Written while they were open: how these ended is never given up, or they would stay open in the store. */
  readonly #open = new WeakSet<HoldRecord>();
  #gaps: Gap[] = [];
  #lost = 0;
  #wholeTo: number;
  #setBacks = 0;
  readonly #inTurn = createSerial();
  readonly #gate = createGate();

  constructor({ store, target, now, roomBytes = ROOM_BYTES }: PendingWritesOptions) {
    this.#store = store;
    this.#roomBytes = roomBytes;
    this.#target = target;
    this.#wholeTo = now();
  }

  /** Rows that wait to be written. */
  get size(): number {
    return this.#holds.size + this.#leftWaits.length + this.#stepRows + this.#gaps.length;
  }

  /** What they take of memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  get lost(): number {
    return this.#lost;
  }

  get holds(): HoldRow[] {
    return Array.from(this.#holds.values(), rowOf);
  }

  get leftWaits(): readonly WaitRow[] {
    return this.#leftWaits;
  }

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  get rollups(): Rollup[] {
    return [...this.#steps.values()].flatMap(({ rollups }) => rollups);
  }

  get blame(): BlameRow[] {
    return [...this.#steps.values()].flatMap(({ blame }) => blame);
  }

  /** What is newer about the same hold takes the place of what still waits. */
  addHold(queued: QueuedHold): void {
    const { hold, bytes } = queued;
    const before = this.#holds.get(hold);
    if (before) this.#bytes -= before.bytes;
    else if (!this.#open.has(hold) && !this.#hasRoom('single', bytes)) {
      return this.lose(hold.end ?? hold.since);
    }
    this.#bytes += bytes;
    this.#holds.set(hold, queued);
  }

  addLeftWait(row: WaitRow): void {
    const bytes = waitBytes(row);
    if (!this.#hasRoom('single', bytes)) return this.lose(row.end);
    this.#bytes += bytes;
    this.#leftWaits.push(row);
  }

  addSteps({ rollups, blame }: StepRows): void {
    for (const rollup of rollups) {
      const kind = rollup.lock === null ? 'class' : 'lock';
      if (this.#takeRoom(rollup, kind, rollupBytes(rollup)))
        this.#stepOf(rollup).rollups.push(rollup);
    }
    for (const row of blame) {
      if (this.#takeRoom(row, 'lock', blameBytes(row))) this.#stepOf(row).blame.push(row);
    }
  }

  addGap(gap: Gap): void {
    this.#gaps.push(gap);
  }

  /** Runs `read` while no step passes from here into the store. */
  whileSettled<T>(read: () => Promise<T>): Promise<T> {
    return this.#gate.read(read);
  }

  /** Writes what waits now; what fails because the store is broken goes on waiting. */
  write(): Promise<void> {
    return this.#inTurn(async () => {
      if (!(await this.#writeHolds())) return;
      if (!(await this.#writeLeftWaits())) return;
      if (!(await this.#writeSteps())) return;
      await this.#writeGaps();
    });
  }

  /**
   * Has the store remember that everything up to `until` is in it, once that is so: whoever starts after a crash
   * knows from when on something may be missing. A gap that lasts is told nowhere else until it ends. `setBacks` as it
   * was when `until` was read off the clock.
   */
  async markWhole(
    until: number,
    blindSince: number | null,
    setBacks = this.#setBacks,
  ): Promise<void> {
    // A time of the clock as it was would keep all that follow from being marked.
    if (setBacks !== this.#setBacks) return;
    const to = blindSince === null ? until : Math.min(until, blindSince);
    const isKnown = blindSince === null ? to <= this.#wholeTo : to === this.#wholeTo;
    if (isKnown || this.#steps.size > 0 || this.#gaps.length > 0) return;
    const isMarked = await this.#settled([], this.#store.markAlive(this.#target, to));
    if (isMarked && setBacks === this.#setBacks) this.#wholeTo = to;
  }

  /** How often the clock was set back. */
  get setBacks(): number {
    return this.#setBacks;
  }

  /** The clock was set back: what is whole is so up to an earlier time. */
  setBack(): void {
    this.#setBacks += 1;
    this.#wholeTo = -Infinity;
  }

  #hasRoom(kind: keyof typeof SHARES, bytes: number): boolean {
    return this.#bytes + bytes <= this.#roomBytes * SHARES[kind];
  }

  /** False = there is none: that row of a step is given up. */
  #takeRoom({ step }: { step: number }, kind: 'lock' | 'class', bytes: number): boolean {
    if (!this.#hasRoom(kind, bytes)) {
      this.lose(step);
      return false;
    }
    this.#bytes += bytes;
    this.#stepRows += 1;
    return true;
  }

  /** Gives up a row of that time, which from now on nobody can tell. */
  lose(at: number): void {
    this.#lost += 1;
    const from = stepOf(at);
    const to = from + ROLLUP_STEP_MS;
    const i = this.#gaps.findLastIndex(
      (gap) => gap.reason === 'not-written' && from <= (gap.to ?? from) && to >= gap.from,
    );
    const known = this.#gaps[i];
    if (!known) this.#gaps.push({ from, to, reason: 'not-written' });
    else if (from < known.from || to > (known.to ?? to)) {
      const joined = { from: Math.min(from, known.from), to: Math.max(to, known.to ?? to) };
      this.#gaps[i] = { ...known, ...joined };
    }
  }

  #stepOf({ step }: { step: number }): PendingStep {
    let rows = this.#steps.get(step);
    if (!rows) this.#steps.set(step, (rows = { rollups: [], blame: [], tried: null }));
    return rows;
  }

  async #writeHolds(): Promise<boolean> {
    // What arrives meanwhile waits for the next call: a busy target must not keep this one going.
    const waiting = [...this.#holds.values()];
    for (let from = 0; from < waiting.length; from += BATCH_ROWS) {
      const batch = waiting.slice(from, from + BATCH_ROWS);
      const rows = batch.map(rowOf);
      const ended = rows.map(({ past }) => past.end ?? past.start);
      if (!(await this.#settled(ended, this.#store.writeHolds(rows)))) return false;
      for (const [i, queued] of batch.entries()) {
        // As it was written: it may have ended meanwhile.
        if (rows[i]?.past.end === null) this.#open.add(queued.hold);
        else this.#open.delete(queued.hold);
        const { hold } = queued;
        if (this.#holds.get(hold) !== queued) continue;
        this.#holds.delete(hold);
        this.#bytes -= queued.bytes;
      }
    }
    return true;
  }

  async #writeLeftWaits(): Promise<boolean> {
    for (let left = this.#leftWaits.length; left > 0; left -= BATCH_ROWS) {
      const batch = this.#leftWaits.slice(0, Math.min(left, BATCH_ROWS));
      const ended = batch.map(({ end }) => end);
      if (!(await this.#settled(ended, this.#store.writeLeftWaits(batch)))) return false;
      this.#leftWaits = this.#leftWaits.slice(batch.length);
      for (const row of batch) this.#bytes -= waitBytes(row);
    }
    return true;
  }

  async #writeSteps(): Promise<boolean> {
    for (const step of [...this.#steps.keys()]) {
      if (!(await this.#gate.write(() => this.#writeStep(step)))) return false;
    }
    return true;
  }

  async #writeStep(step: number): Promise<boolean> {
    const rows = this.#steps.get(step);
    if (!rows) return true;
    // What is added to the step from now on is of its next part. A write of which nothing was heard may have been done.
    const { rollups: all, blame: allBlame } = rows;
    rows.tried ??= { rollups: all.length, blame: allBlame.length, part: newPart() };
    const { rollups, blame, part } = rows.tried;
    const written = this.#store.writeRollups({
      rollups: all.slice(0, rollups),
      blame: allBlame.slice(0, blame),
      part,
    });
    if (!(await this.#settled(Array(rollups + blame).fill(step), written))) return false;
    rows.tried = null;
    for (const rollup of rows.rollups.splice(0, rollups)) this.#bytes -= rollupBytes(rollup);
    for (const row of rows.blame.splice(0, blame)) this.#bytes -= blameBytes(row);
    this.#stepRows -= rollups + blame;
    if (rows.rollups.length + rows.blame.length === 0) this.#steps.delete(step);
    return true;
  }

  async #writeGaps(): Promise<boolean> {
    for (const gap of this.#gaps) {
      if (!(await this.#settled([], this.#store.writeGap(this.#target, gap)))) return false;
      this.#gaps = this.#gaps.filter((other) => other !== gap);
    }
    return true;
  }

  /**
   * False = the store is broken, try again later. Any other failure would repeat for ever and hold up all
   * that comes after, so those rows, of these `times`, are given up.
   */
  async #settled(times: readonly number[], write: Promise<void>): Promise<boolean> {
    try {
      await write;
    } catch (error) {
      if (isCodedError(error) && error.code === 'STORE_UNAVAILABLE') return false;
      for (const at of times) this.lose(at);
    }
    return true;
  }
}
