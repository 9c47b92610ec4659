import type { AnalysisSettings } from './analysis-contract';

export type LongHoldSettings = Pick<AnalysisSettings, 'longHoldMs' | 'longHoldMsByClass'>;

/** A hold this many times as long as 99 of 100 of its class is stuck, if it is not over in an instant anyway. */
const UNUSUAL_FACTOR = 10;
const LEAST_UNUSUAL_MS = 10_000;

/** What an operator set for this very class (ms), or undefined. */
export const ownThresholdMs = (
  { longHoldMsByClass }: LongHoldSettings,
  className: string,
): number | undefined => longHoldMsByClass?.get(className);

/** Beyond how many milliseconds a hold of the class is long. */
export const longHoldMsOf = (settings: LongHoldSettings, className: string): number =>
  ownThresholdMs(settings, className) ?? settings.longHoldMs;

/**
 * Where no rule was set: beyond this a hold is long, or longer than is usual for its class. `p99Ms`: that of the
 * class's holds, null while too few were seen.
 */
export const unusualHoldMs = (
  settings: LongHoldSettings,
  className: string,
  p99Ms: number | null,
): number =>
  ownThresholdMs(settings, className) ??
  Math.min(
    settings.longHoldMs,
    p99Ms === null ? Infinity : Math.max(LEAST_UNUSUAL_MS, UNUSUAL_FACTOR * p99Ms),
  );
