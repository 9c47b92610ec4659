import type { BLAME_CAUSES } from '@/lib/protocol/closed-sets';
import type { EndReason } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord, WaitSource } from '@/server/state/lock-record';
import { ownerOfHold } from '@/server/state/view';
import { addDuration, addEnd, addHandoff, addWait, toRollup, type Cell } from './cell';
import { ROLLUP_STEP_MS, type BlameRow, type Rollup, type SeriesName } from './history-contract';
import {
  addHeld,
  addWaiting,
  cellOf,
  countWaiting,
  idleCells,
  moveBlame,
  newLock,
  NO_CELLS,
  type LockCell,
  type LockState,
} from './lock-cells';
import { CORRECTED_MS, stepOf } from './rollup-sums';
import type { Move } from './waiter-moves';
import { heaviest } from './weight';

/** Locks that get a rollup of their own in one step. The others are in those of their class alone. */
export const MOST_LOCKS = 4096;

type Cause = (typeof BLAME_CAUSES)[number];

/**
 * Sums per lock and step, and who made others wait. Costs something for locks to which something happens: one that
 * is only held is looked at when a step is taken.
 */
export class LockSums {
  readonly #target: string;
  readonly #locks = new Map<LockRecord, LockState>();
  readonly #contended = new Set<LockState>();
  /** The one that was asked for last: several sums are of one change. */
  #last: LockState | null = null;
  /** Held time of open holds is told up to here. */
  #takenTo: number | null = null;

  constructor(target: string) {
    this.#target = target;
  }

  /** Locks that are held, waited for, or not written yet. */
  get size(): number {
    return this.#locks.size;
  }

  opened(lock: LockRecord, hold: HoldRecord, since: number): void {
    const state = this.#of(lock);
    countWaiting(state, since);
    state.open = hold;
    state.since = since;
    moveBlame(state, since, { from: null, to: hold });
  }

  /** The hold that is open began at another time than was believed. */
  startCorrected(lock: LockRecord, since: number): void {
    const state = this.#of(lock);
    if (!state.open) return;
    const told = this.#takenTo ?? 0;
    addHeld(state, Math.min(since, told), Math.min(state.since, told));
    state.since = since;
  }

  /** A hold that was told to have ended at `end` is open still. */
  reopened(lock: LockRecord, hold: HoldRecord, end: number): void {
    addHeld(this.#of(lock), end, Math.max(hold.since, this.#takenTo ?? 0));
  }

  endCorrected(lock: LockRecord, before: number, end: number): void {
    addHeld(this.#of(lock), before, end);
  }

  acquired(lock: LockRecord, at: number): void {
    cellOf(this.#of(lock), at).acquisitions += 1;
  }

  /** The open hold was open until `end`; `at` is when that became known. */
  closed(lock: LockRecord, end: number, at: number): void {
    const state = this.#of(lock);
    const { open, since } = state;
    if (!open) return;
    countWaiting(state, Math.max(end, state.waitedTo));
    moveBlame(state, end, { from: open, to: null });
    state.open = null;
    state.since = 0;
    const told = Math.max(since, this.#takenTo ?? 0);
    addHeld(state, told, Math.max(end, at - CORRECTED_MS));
  }

  ended(lock: LockRecord, end: number, reason: EndReason, count: 1 | -1): void {
    addEnd(cellOf(this.#of(lock), end), reason, count);
  }

  held(lock: LockRecord, end: number, ms: number): void {
    addDuration(cellOf(this.#of(lock), end), 'hold', ms);
  }

  handedOff(lock: LockRecord, at: number, gapMs: number): void {
    addHandoff(cellOf(this.#of(lock), at), gapMs);
  }

  /** Waiters came and went; `at` is when that was seen, at or after each move. */
  waitersChanged(lock: LockRecord, moves: readonly Move[], at: number): void {
    const state = this.#of(lock);
    countWaiting(state, at);
    state.seesWaiters = true;
    for (const move of moves) {
      state.waiters += move.change;
      const span = { from: Math.max(move.at, at - CORRECTED_MS), to: state.waitedTo };
      addWaiting(state, { ...span, waiters: move.change });
    }
    if (state.waiters > 0) this.#contended.add(state);
    else this.#contended.delete(state);
    cellOf(state, at).waiterMs ??= 0;
  }

  waited(
    lock: LockRecord,
    { at, ...wait }: { at: number; ms: number; source: WaitSource; left: boolean },
  ): void {
    const state = this.#of(lock);
    state.seesWaits = true;
    if (wait.source !== 'token-time') state.seesAttempts = true;
    addWait(cellOf(state, at), wait);
  }

  attempted(lock: LockRecord, at: number, count: number): void {
    const state = this.#of(lock);
    state.seesAttempts = true;
    const cell = cellOf(state, at);
    cell.attempts = (cell.attempts ?? 0) + count;
  }

  forgotten(lock: LockRecord): void {
    const state = this.#locks.get(lock);
    if (!state) return;
    state.waiters = 0;
    this.#contended.delete(state);
  }

  /** The clock was set back to `now`: what lies ahead of it is counted as it comes. */
  setBack(now: number): void {
    if (this.#takenTo !== null) this.#takenTo = Math.min(this.#takenTo, stepOf(now));
    for (const state of this.#locks.values()) {
      state.waitedTo = Math.min(state.waitedTo, now);
      state.since = Math.min(state.since, now);
    }
  }

  /** Counts waiting up to `now`. */
  advance(now: number): void {
    for (const state of this.#contended) countWaiting(state, now);
    this.#takenTo ??= stepOf(now);
  }

  /** Removes and returns the steps that began before `before`, a step's border; of the one that lasts its part. */
  take(before: number, now: number): { rollups: Rollup[]; blame: BlameRow[] } {
    const until = Math.min(before, now);
    this.#last = null;
    const cells = this.#tellOpen(this.#takenTo ?? until, until);
    this.#takenTo = Math.max(this.#takenTo ?? until, until);
    for (const [lock, state] of this.#locks) {
      if (state.cells.length > 0) {
        const kept = state.cells.filter((cell) => cell.step >= before);
        for (const cell of state.cells) if (cell.step < before) cells.push(cell);
        state.cells = kept.length > 0 ? kept : NO_CELLS;
      }
      const isOver = state.cells.length === 0 && !state.open && state.waiters === 0;
      if (isOver) this.#locks.delete(lock);
    }
    return this.#rowsOf(cells);
  }

  /** What is not taken yet, as it stood when time was last counted; without those locks that are only held. */
  peek(): { rollups: Rollup[]; blame: BlameRow[] } {
    const cells: LockCell[] = [];
    for (const state of this.#locks.values()) cells.push(...state.cells);
    return this.#rowsOf(cells);
  }

  /** Tells how long open holds were held in [from, to). Of many that are only held, the ones held longest. */
  #tellOpen(from: number, to: number): LockCell[] {
    const idle: LockCell[] = [];
    if (to <= from) return idle;
    let locks = 0;
    for (const state of this.#locks.values()) {
      if (!state.open) continue;
      const since = Math.max(from, state.since);
      if (since >= to) continue;
      if (state.cells.some(({ step }) => step < to)) addHeld(state, since, to);
      else if (locks++ < MOST_LOCKS) idle.push(...idleCells(state, { from: since, to }));
    }
    return idle;
  }

  /** Only what is kept of a step becomes rows: of very many locks that is a small part. */
  #rowsOf(cells: readonly LockCell[]): { rollups: Rollup[]; blame: BlameRow[] } {
    const blame = cells.flatMap((cell) => (cell.blame ? this.#blameOf(cell, cell.blame) : []));
    const rollups = heaviestOfEachStep(cells).map((cell) =>
      toRollup(this.#nameOf(cell.lock), plain(cell), ROLLUP_STEP_MS),
    );
    return { rollups, blame };
  }

  #blameOf({ lock, step }: LockCell, by: NonNullable<LockCell['blame']>): BlameRow[] {
    const name = this.#nameOf(lock);
    const rows: BlameRow[] = [];
    for (const [hold, waiterMs] of by) {
      if (waiterMs === 0) continue;
      const owner = hold && ownerOfHold(hold);
      const cause: Cause = hold === null ? 'nobody' : owner === null ? 'unnamed' : 'holder';
      rows.push({ ...name, cause, owner, step, spanMs: ROLLUP_STEP_MS, waiterMs });
    }
    return rows;
  }

  #of(lock: LockRecord): LockState {
    if (this.#last?.lock === lock) return this.#last;
    let state = this.#locks.get(lock);
    if (!state) {
      state = newLock(lock);
      this.#locks.set(lock, state);
    }
    this.#last = state;
    return state;
  }

  #nameOf({ class: lockClass, namespace, format, db, key }: LockRecord): SeriesName {
    const lock = { db, key };
    return { target: this.#target, class: lockClass, namespace, formatId: format.id, lock };
  }
}

function plain({ lock: _lock, blame: _blame, ...cell }: LockCell): Cell {
  return cell;
}

function heaviestOfEachStep(cells: readonly LockCell[]): LockCell[] {
  const bySteps = Map.groupBy(cells, ({ step }) => step);
  return [...bySteps.values()].flatMap((ofStep) => heaviest(ofStep, MOST_LOCKS));
}
