import type { EndReason } from '@/lib/protocol/lock';
import type { WaitSource } from '@/server/state/lock-record';
import { addDuration, addEnd, addHandoff, addWait, emptyCell, toRollup, type Cell } from './cell';
import { ROLLUP_STEP_MS, type Rollup, type SeriesName } from './history-contract';

/** What is summed of one class and format, and the counters that time turns into sums. */
export interface Series extends SeriesName {
  /** Holds open now. */
  open: number;
  /** Waiters seen now. */
  waiters: number;
  /** False until a waiter count of one of its locks was seen: nothing is not zero. */
  seesWaiters: boolean;
  /** False until a wait of one of its locks was seen, or its library is known to show each. */
  seesWaits: boolean;
  /** False until failed attempts were told of. */
  seesAttempts: boolean;
  readonly cells: Map<number, Cell>;
}

/** A correction does not reach further back than this: older steps are told as they were seen. */
export const CORRECTED_MS = 10 * 60 * 1000;

export const stepOf = (at: number): number => Math.floor(at / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;

/**
 * Sums per class and step. Held time is exact without a timer per hold: time passes for a whole class at
 * once ({@link advance}), and a hold that starts or ends in between adds or takes away the part of that
 * span in which it was not, or still was, open. So a start or an end costs the same whatever is open.
 */
export class RollupSums {
  readonly #target: string;
  readonly #series = new Map<string, Map<string, Series>>();
  /** Open holds and waiters are counted up to here. */
  #countedTo: number | null = null;
  #cells = 0;

  constructor(target: string) {
    this.#target = target;
  }

  get cells(): number {
    return this.#cells;
  }

  seriesOf(name: { class: string; namespace: string; format: { id: string } }): Series {
    let ofClass = this.#series.get(name.class);
    if (!ofClass) this.#series.set(name.class, (ofClass = new Map()));
    let series = ofClass.get(name.format.id);
    if (!series) {
      series = {
        target: this.#target,
        class: name.class,
        namespace: name.namespace,
        formatId: name.format.id,
        lock: null,
        open: 0,
        waiters: 0,
        seesWaiters: false,
        seesWaits: false,
        seesAttempts: false,
        cells: new Map(),
      };
      ofClass.set(name.format.id, series);
    }
    return series;
  }

  /** Adds the time since the last call to everything that is open or waits. */
  advance(now: number): void {
    const from = this.#countedTo;
    if (from !== null && now > from) {
      for (const series of this.#all()) {
        this.#add(series, { from, to: now, count: series.open, field: 'heldMs' });
        this.#addWaiting(series, from, now);
      }
    }
    if (from === null || now > from) this.#countedTo = now;
  }

  /** The clock was set back to `now`. */
  setBack(now: number): void {
    this.#countedTo = now;
  }

  /** A hold is open from `from` on. */
  opened(series: Series, from: number, at: number): void {
    this.#countedTo ??= at;
    series.open += 1;
    this.correctHeld(series, { from, to: this.#countedTo, at });
  }

  /** A hold was open until `end`. */
  closed(series: Series, end: number, at: number): void {
    this.#countedTo ??= at;
    series.open -= 1;
    this.correctHeld(series, { from: this.#countedTo, to: end, at });
  }

  /** Adds `from`…`to` as held, or takes it away when `to` is the earlier. */
  correctHeld(series: Series, { from, to, at }: { from: number; to: number; at: number }): void {
    const oldest = at - CORRECTED_MS;
    const span = { from: Math.max(from, oldest), to: Math.max(to, oldest) };
    this.#add(series, { ...span, count: 1, field: 'heldMs' });
  }

  /** `change` waiters came (or went) at `at`. */
  waitersChanged(series: Series, change: number, at: number): void {
    this.#countedTo ??= at;
    series.waiters += change;
    series.seesWaiters = true;
    this.#add(series, { from: at, to: this.#countedTo, count: change, field: 'waiterMs' });
    this.#cell(series, stepOf(at)).waiterMs ??= 0;
  }

  acquired(series: Series, at: number): void {
    this.#cell(series, stepOf(at)).acquisitions += 1;
  }

  handedOff(series: Series, at: number, gapMs: number): void {
    addHandoff(this.#cell(series, stepOf(at)), gapMs);
  }

  ended(series: Series, end: number, reason: EndReason, count: 1 | -1): void {
    addEnd(this.#cell(series, stepOf(end)), reason, count);
  }

  held(series: Series, end: number, ms: number): void {
    addDuration(this.#cell(series, stepOf(end)), 'hold', ms);
  }

  waited(
    series: Series,
    { at, ...wait }: { at: number; ms: number; source: WaitSource; left: boolean },
  ): void {
    series.seesWaits = true;
    if (wait.source !== 'token-time') series.seesAttempts = true;
    addWait(this.#cell(series, stepOf(at)), wait);
  }

  /** `count` attempts failed that belong to no wait which is told of. */
  attempted(series: Series, at: number, count: number): void {
    series.seesAttempts = true;
    const cell = this.#cell(series, stepOf(at));
    cell.attempts = (cell.attempts ?? 0) + count;
  }

  /** Removes and returns the steps that began before `before`. */
  take(before: number): Rollup[] {
    const taken: Rollup[] = [];
    for (const [series, step, cell] of this.#everyCell()) {
      if (step >= before) continue;
      taken.push(toRollup(series, cell, ROLLUP_STEP_MS));
      series.cells.delete(step);
      this.#cells -= 1;
    }
    return taken;
  }

  /** All sums not yet taken. */
  peek(): Rollup[] {
    return [...this.#everyCell()].map(([series, , cell]) => toRollup(series, cell, ROLLUP_STEP_MS));
  }

  *#all(): Generator<Series> {
    for (const ofClass of this.#series.values()) yield* ofClass.values();
  }

  *#everyCell(): Generator<[Series, number, Cell]> {
    for (const series of this.#all()) {
      for (const [step, cell] of series.cells) yield [series, step, cell];
    }
  }

  #addWaiting(series: Series, from: number, to: number): void {
    if (!series.seesWaiters || (series.open === 0 && series.waiters === 0)) return;
    this.#add(series, { from, to, count: series.waiters, field: 'waiterMs' });
    this.#cell(series, stepOf(to - 1)).waiterMs ??= 0;
  }

  #add(
    series: Series,
    span: { from: number; to: number; count: number; field: 'heldMs' | 'waiterMs' },
  ): void {
    const [low, high] = [Math.min(span.from, span.to), Math.max(span.from, span.to)];
    if (low === high || span.count === 0) return;
    const count = span.to < span.from ? -span.count : span.count;
    const first = Math.max(low, high - CORRECTED_MS);
    for (let step = stepOf(first); step < high; step += ROLLUP_STEP_MS) {
      const ms = Math.min(high, step + ROLLUP_STEP_MS) - Math.max(first, step);
      const cell = this.#cell(series, step);
      cell[span.field] = (cell[span.field] ?? 0) + count * ms;
    }
  }

  #cell(series: Series, step: number): Cell {
    let cell = series.cells.get(step);
    if (!cell) {
      cell = emptyCell(step);
      if (series.seesWaiters) cell.waiterMs = 0;
      if (series.seesWaits) cell.waits = cell.waitMs = cell.timeouts = 0;
      if (series.seesAttempts) cell.attempts = 0;
      series.cells.set(step, cell);
      this.#cells += 1;
    }
    return cell;
  }
}
