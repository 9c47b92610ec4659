import { ROLLUP_STEP_MS, type Retention, type Tier } from './history-contract';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Ten seconds for two hours let a brush over the last hour show what a minute would hide. */
export const DEFAULT_RETENTION: Retention = {
  tiers: [
    { spanMs: ROLLUP_STEP_MS, keepMs: 2 * HOUR_MS },
    { spanMs: MINUTE_MS, keepMs: DAY_MS },
    { spanMs: 5 * MINUTE_MS, keepMs: 7 * DAY_MS },
    { spanMs: HOUR_MS, keepMs: 90 * DAY_MS },
  ],
  keepHoldsMs: 7 * DAY_MS,
  maxBytes: 10_000_000_000,
};

/** The shortest span whose rollups are still kept of `from`; of older times the longest one there is. */
export function finestSpanAt(tiers: readonly Tier[], from: number, now: number): number {
  const kept = tiers.find(({ keepMs }) => from >= now - keepMs) ?? tiers.at(-1);
  return kept?.spanMs ?? ROLLUP_STEP_MS;
}
