import type { HeatMetric } from '@/lib/protocol/measures';
import type { HeatColumn, SketchKind } from '@/server/store/history-contract';
import { WAIT_SOURCES } from '@/lib/protocol/closed-sets';

/** The quantile that stands for the waits and hand-offs of a cell. */
export const HEAT_QUANTILE = 0.95;

interface Measure {
  unit: string;
  /** What is added up; of a quantile, what makes a row hot. */
  column: HeatColumn;
  /** The value of a sum over `spanMs`. */
  value: (sum: number, spanMs: number) => number;
  /** Distributions whose quantile is the value, in place of a sum. */
  sketches?: readonly SketchKind[];
}

const perMinute = (sum: number, spanMs: number): number => (sum * 60_000) / spanMs;
const average = (sum: number, spanMs: number): number => sum / spanMs;
const count = (sum: number): number => sum;

/** How the value of a cell comes from what history keeps. */
export const MEASURES: Record<HeatMetric, Measure> = {
  'hold-share': { unit: 'share', column: 'heldMs', value: average },
  acquisitions: { unit: 'per minute', column: 'acquisitions', value: perMinute },
  waiters: { unit: 'waiters', column: 'waiterMs', value: average },
  wait: { unit: 'ms', column: 'waitMs', value: count, sketches: WAIT_SOURCES },
  attempts: { unit: 'per minute', column: 'attempts', value: perMinute },
  timeouts: { unit: 'count', column: 'timeouts', value: count },
  handoff: { unit: 'ms', column: 'handoffMs', value: count, sketches: ['handoff'] },
  lost: { unit: 'count', column: 'lost', value: count },
};
