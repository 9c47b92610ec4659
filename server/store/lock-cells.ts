import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { emptyCell, type Cell } from './cell';
import { ROLLUP_STEP_MS } from './history-contract';
import { CORRECTED_MS, stepOf } from './rollup-sums';

/** What one lock did in a step that is not written yet, and for whom others waited meanwhile. */
export interface LockCell extends Cell {
  lock: LockRecord;
  /** Waiter-milliseconds by the hold that was open; null = the lock was free. */
  blame: Map<HoldRecord | null, number> | null;
}

export interface LockState {
  lock: LockRecord;
  open: HoldRecord | null;
  /** When the open hold began; 0 while none is open. */
  since: number;
  waiters: number;
  /** Waiting is counted up to here. */
  waitedTo: number;
  seesWaiters: boolean;
  seesWaits: boolean;
  seesAttempts: boolean;
  /** Steps not written yet, in the order met: none, one or two. Replaced, never written to. */
  cells: readonly LockCell[];
}

export const NO_CELLS: readonly LockCell[] = [];

/** A lock of which nothing was seen yet. */
export const newLock = (lock: LockRecord): LockState => ({
  lock,
  open: null,
  since: 0,
  waiters: 0,
  waitedTo: 0,
  seesWaiters: false,
  seesWaits: false,
  seesAttempts: false,
  cells: NO_CELLS,
});

/** The cell of the step that `at` lies in. */
export function cellOf(state: LockState, at: number): LockCell {
  const step = stepOf(at);
  // Most of what happens is of the step that came last.
  for (let i = state.cells.length - 1; i >= 0; i--) {
    const cell = state.cells[i];
    if (cell?.step === step) return cell;
  }
  const cell = newCell(state, step);
  state.cells = state.cells.length === 0 ? [cell] : [...state.cells, cell];
  return cell;
}

function newCell(
  { lock, seesWaiters, seesWaits, seesAttempts }: LockState,
  step: number,
): LockCell {
  const cell: LockCell = { ...emptyCell(step), lock, blame: null };
  if (seesWaiters) cell.waiterMs = 0;
  if (seesWaits) cell.waits = cell.waitMs = cell.timeouts = 0;
  if (seesAttempts) cell.attempts = 0;
  return cell;
}

/** Counts waiting up to `now`. */
export function countWaiting(state: LockState, now: number): void {
  const { waiters, waitedTo } = state;
  if (now <= waitedTo) return;
  state.waitedTo = now;
  if (waiters !== 0) addWaiting(state, { from: waitedTo, to: now, waiters });
}

/** It came out late that another hold, or none, was open since `at`. */
export function moveBlame(
  state: LockState,
  at: number,
  { from, to }: { from: HoldRecord | null; to: HoldRecord | null },
): void {
  const { waiters, waitedTo } = state;
  if (waiters === 0 || at >= waitedTo) return;
  const span = { from: Math.max(at, waitedTo - CORRECTED_MS), to: waitedTo };
  blame(state, from, { ...span, waiters: -waiters });
  blame(state, to, { ...span, waiters });
}

/** Puts waiting on whoever held the lock in that time, and on nobody for what is left of it. */
export function addWaiting(
  state: LockState,
  span: { from: number; to: number; waiters: number },
): void {
  let { to } = span;
  const { from, waiters } = span;
  const holds = state.open ? [state.open, ...state.lock.ended] : state.lock.ended;
  for (const hold of holds) {
    if (to <= from) return;
    const since = hold === state.open ? state.since : hold.since;
    const held = { from: Math.max(from, since), to: Math.min(to, hold.end ?? to) };
    if (held.to <= held.from) continue;
    blame(state, null, { from: held.to, to, waiters });
    blame(state, hold, { ...held, waiters });
    to = held.from;
  }
  blame(state, null, { from, to, waiters });
}

function blame(
  state: LockState,
  hold: HoldRecord | null,
  { from, to, waiters }: { from: number; to: number; waiters: number },
): void {
  for (let step = stepOf(from); step < to; step += ROLLUP_STEP_MS) {
    const ms = waiters * (Math.min(to, step + ROLLUP_STEP_MS) - Math.max(from, step));
    const cell = cellOf(state, step);
    cell.waiterMs = (cell.waiterMs ?? 0) + ms;
    cell.blame ??= new Map();
    cell.blame.set(hold, (cell.blame.get(hold) ?? 0) + ms);
  }
}

/** Adds `from`…`to` as held, or takes it away when `to` is the earlier. */
export function addHeld(state: LockState, from: number, to: number): void {
  const [low, high, sign] = from <= to ? [from, to, 1] : [to, from, -1];
  for (let step = stepOf(low); step < high; step += ROLLUP_STEP_MS) {
    const ms = Math.min(high, step + ROLLUP_STEP_MS) - Math.max(low, step);
    cellOf(state, step).heldMs += sign * ms;
  }
}

/** What a lock that was only held in [from, to) did in each step of it. */
export function idleCells(
  state: LockState,
  { from, to }: { from: number; to: number },
): LockCell[] {
  const cells: LockCell[] = [];
  for (let step = stepOf(from); step < to; step += ROLLUP_STEP_MS) {
    const cell = newCell(state, step);
    cell.heldMs = Math.min(to, step + ROLLUP_STEP_MS) - Math.max(from, step);
    cells.push(cell);
  }
  return cells;
}
