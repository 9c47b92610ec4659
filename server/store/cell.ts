import { createSketch } from '@/lib/analysis/sketch';
import { WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import type { EndReason } from '@/lib/protocol/lock';
import type { Rollup, SeriesName, SketchKind, Sums } from './history-contract';
import { emptySums } from './sums';

/** So many are kept as they are: most steps of most locks see fewer, and a sketch takes 300 bytes. */
const AS_THEY_ARE = 16;

/** Durations (ms) of one kind in one step. */
class Durations {
  #few: number[] | null = [];
  #sketch: Sketch | null = null;

  add(ms: number): void {
    if (this.#few && this.#few.length < AS_THEY_ARE) this.#few.push(ms);
    else this.#many().add(ms);
  }

  serialise(): Uint8Array {
    return this.#sketch?.serialise() ?? sketchOf(this.#few ?? []).serialise();
  }

  #many(): Sketch {
    this.#sketch ??= sketchOf(this.#few ?? []);
    this.#few = null;
    return this.#sketch;
  }
}

function sketchOf(durations: readonly number[]): Sketch {
  const sketch = createSketch();
  for (const ms of durations) sketch.add(ms);
  return sketch;
}

const SKETCHES: readonly SketchKind[] = ['hold', 'handoff', ...WAIT_SOURCES];

/** What one series did in a step that is not over, or not written yet. */
export interface Cell extends Sums {
  step: number;
  /** Null until there is one. */
  durations: Partial<Record<SketchKind, Durations>> | null;
}

/** Shared by all cells in which nothing has ended: replaced, never written to. */
const NO_ENDS: Sums['ends'] = Object.freeze({});

export const emptyCell = (step: number): Cell => ({
  ...emptySums(),
  ends: NO_ENDS,
  step,
  durations: null,
});

export function addDuration(cell: Cell, kind: SketchKind, ms: number): void {
  const durations = (cell.durations ??= {});
  (durations[kind] ??= new Durations()).add(ms);
}

export function addEnd(cell: Cell, reason: EndReason, count: 1 | -1): void {
  if (cell.ends === NO_ENDS) cell.ends = {};
  cell.ends[reason] = (cell.ends[reason] ?? 0) + count;
}

/** One wait ended: `left` without the lock. */
export function addWait(
  cell: Cell,
  {
    ms,
    source,
    left,
  }: { ms: number; source: Exclude<SketchKind, 'hold' | 'handoff'>; left: boolean },
): void {
  cell.waits = (cell.waits ?? 0) + 1;
  cell.waitMs = (cell.waitMs ?? 0) + ms;
  cell.timeouts = (cell.timeouts ?? 0) + (left ? 1 : 0);
  // Whoever waited had been refused at least once; a token tells when its client asked, refused or not.
  if (source !== 'token-time') cell.attempts = (cell.attempts ?? 0) + 1;
  addDuration(cell, source, ms);
}

export function addHandoff(cell: Cell, ms: number): void {
  cell.handoffs += 1;
  cell.handoffMs += ms;
  addDuration(cell, 'handoff', ms);
}

export function toRollup(name: SeriesName, cell: Cell, spanMs: number): Rollup {
  const { step, durations, ...sums } = cell;
  const { target, class: lockClass, namespace, formatId, lock } = name;
  const sketches: Rollup['sketches'] = {};
  for (const kind of SKETCHES) {
    const bytes = durations?.[kind]?.serialise();
    if (bytes) sketches[kind] = bytes;
  }
  const series = { target, class: lockClass, namespace, formatId, lock };
  return { ...series, ...sums, ends: { ...sums.ends }, step, spanMs, sketches };
}
