import { joinBytes } from '@/lib/analysis/sketch';
import { LOST_REASONS, type EndReason } from '@/lib/protocol/lock';
import type { HeatColumn, Rollup, SketchKind, Sums } from './history-contract';

export const emptySums = (): Sums => ({
  acquisitions: 0,
  heldMs: 0,
  waiterMs: null,
  waits: null,
  waitMs: null,
  timeouts: null,
  attempts: null,
  handoffs: 0,
  handoffMs: 0,
  ends: {},
});

const plus = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : a + b;

/** Adds the figures of `more` to `sums`, sketches left out. */
export function addSums(sums: Sums, more: Sums): void {
  sums.acquisitions += more.acquisitions;
  sums.heldMs += more.heldMs;
  sums.waiterMs = plus(sums.waiterMs, more.waiterMs);
  sums.waits = plus(sums.waits, more.waits);
  sums.waitMs = plus(sums.waitMs, more.waitMs);
  sums.timeouts = plus(sums.timeouts, more.timeouts);
  sums.attempts = plus(sums.attempts, more.attempts);
  sums.handoffs += more.handoffs;
  sums.handoffMs += more.handoffMs;
  for (const reason of endReasons(more.ends)) {
    sums.ends[reason] = (sums.ends[reason] ?? 0) + (more.ends[reason] ?? 0);
  }
}

/** Adds sums and distributions. Throws INTERNAL for a sketch that nobody wrote. */
export function addRollup(into: Rollup, more: Rollup): void {
  addSums(into, more);
  for (const kind of sketchKinds(more.sketches)) {
    const bytes = more.sketches[kind];
    const known = into.sketches[kind];
    if (bytes) into.sketches[kind] = known ? joinBytes(known, bytes) : bytes;
  }
}

/** The keys of an `ends` record are end reasons: `Object.keys` forgets that. */
export const endReasons = (ends: Sums['ends']): EndReason[] => Object.keys(ends) as EndReason[];

/** The same of sketches. */
export const sketchKinds = (sketches: Rollup['sketches']): SketchKind[] =>
  Object.keys(sketches) as SketchKind[];

/** How many holds did not end by a release. */
const lostOf = ({ ends }: Sums): number =>
  LOST_REASONS.reduce((count, reason) => count + (ends[reason] ?? 0), 0);

export const columnOf = (sums: Sums, column: HeatColumn): number | null =>
  column === 'lost' ? lostOf(sums) : sums[column];
