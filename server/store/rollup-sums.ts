import { createSketch } from '@/lib/analysis/sketch';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import type { EndReason } from '@/lib/protocol/lock';
import type { WaitSource } from '@/server/state/lock-record';
import { ROLLUP_STEP_MS, type Rollup } from './store-contract';

/** What is summed of one class and format, and the counters that time turns into sums. */
export interface Series {
  readonly class: string;
  readonly namespace: string;
  readonly formatId: string;
  /** Holds open now. */
  open: number;
  /** Waiters seen now. */
  waiters: number;
  /** False until a waiter count of one of its locks was seen: nothing is not zero. */
  seesWaiters: boolean;
  readonly cells: Map<number, Cell>;
}

interface Cell {
  acquisitions: number;
  heldMs: number;
  waiterMs: number;
  seesWaiters: boolean;
  ends: Partial<Record<EndReason, number>>;
  handoffMsSum: number;
  handoffCount: number;
  holds: Sketch | null;
  waits: Partial<Record<WaitSource, Sketch>>;
}

/** A correction does not reach further back than this: older steps are told as they were seen. */
const CORRECTED_MS = 10 * 60 * 1000;

const stepOf = (at: number): number => Math.floor(at / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;

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
        class: name.class,
        namespace: name.namespace,
        formatId: name.format.id,
        open: 0,
        waiters: 0,
        seesWaiters: false,
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
    this.#cell(series, stepOf(at)).seesWaiters = true;
  }

  acquired(series: Series, at: number): void {
    this.#cell(series, stepOf(at)).acquisitions += 1;
  }

  handedOff(series: Series, at: number, gapMs: number): void {
    const cell = this.#cell(series, stepOf(at));
    cell.handoffMsSum += gapMs;
    cell.handoffCount += 1;
  }

  ended(series: Series, end: number, reason: EndReason, count: 1 | -1): void {
    const { ends } = this.#cell(series, stepOf(end));
    ends[reason] = (ends[reason] ?? 0) + count;
  }

  held(series: Series, end: number, ms: number): void {
    const cell = this.#cell(series, stepOf(end));
    cell.holds ??= createSketch();
    cell.holds.add(ms);
  }

  waited(series: Series, { at, ms, source }: { at: number; ms: number; source: WaitSource }): void {
    const { waits } = this.#cell(series, stepOf(at));
    const sketch = waits[source] ?? createSketch();
    waits[source] = sketch;
    sketch.add(ms);
  }

  /** Removes and returns the steps that began before `before`. */
  take(before: number): Rollup[] {
    const taken: Rollup[] = [];
    for (const [series, step, cell] of this.#everyCell()) {
      if (step >= before) continue;
      taken.push(this.#toRollup(series, step, cell));
      series.cells.delete(step);
      this.#cells -= 1;
    }
    return taken;
  }

  /** All sums not yet taken. */
  peek(): Rollup[] {
    return [...this.#everyCell()].map(([series, step, cell]) => this.#toRollup(series, step, cell));
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
    this.#cell(series, stepOf(to - 1)).seesWaiters = true;
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
      cell[span.field] += count * ms;
      if (span.field === 'waiterMs') cell.seesWaiters = true;
    }
  }

  #cell(series: Series, step: number): Cell {
    let cell = series.cells.get(step);
    if (!cell) {
      cell = {
        acquisitions: 0,
        heldMs: 0,
        waiterMs: 0,
        seesWaiters: series.seesWaiters,
        ends: {},
        handoffMsSum: 0,
        handoffCount: 0,
        holds: null,
        waits: {},
      };
      series.cells.set(step, cell);
      this.#cells += 1;
    }
    return cell;
  }

  #toRollup(series: Series, step: number, cell: Cell): Rollup {
    const waitSketches: Rollup['waitSketches'] = {};
    for (const source of ['fair-queue', 'token-time', 'report'] as const) {
      const sketch = cell.waits[source];
      if (sketch) waitSketches[source] = sketch.serialise();
    }
    return {
      target: this.#target,
      class: series.class,
      namespace: series.namespace,
      formatId: series.formatId,
      step,
      acquisitions: cell.acquisitions,
      heldMs: cell.heldMs,
      waiterMs: cell.seesWaiters ? cell.waiterMs : null,
      ends: { ...cell.ends },
      handoffMsSum: cell.handoffMsSum,
      handoffCount: cell.handoffCount,
      holdSketch: cell.holds?.serialise() ?? null,
      waitSketches,
    };
  }
}
