import type { AnalysisSettings } from './analysis-contract';

export type LongHoldSettings = Pick<AnalysisSettings, 'longHoldMs' | 'longHoldMsByClass'>;

/** What an operator set for this very class (ms), or undefined. */
export const ownThresholdMs = (
  { longHoldMsByClass }: LongHoldSettings,
  className: string,
): number | undefined => longHoldMsByClass?.get(className);

/** Beyond how many milliseconds a hold of the class is long. */
export const longHoldMsOf = (settings: LongHoldSettings, className: string): number =>
  ownThresholdMs(settings, className) ?? settings.longHoldMs;
