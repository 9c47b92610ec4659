/** Upper bound, so that a run never has Redis to itself. */
export const MAX_KEYS_PER_SECOND = 50_000;
const LEAST_KEYS_PER_SECOND = 1_000;
/** A PING that takes so much longer than at the start, and so long at all, means that Redis suffers. */
const SLOWER = 4;
const SLOW_MS = 5;

/** How fast a run may go on: as fast as allowed while PING is quick, slower when it is not. */
export interface ScanRate {
  readonly keysPerSecond: number;
  readonly pingMs: number | null;
  /** What a PING took now. */
  measured: (pingMs: number) => void;
  /** How long to wait before the next step, when a step of `keys` took `tookMs`. */
  restMs: (keys: number, tookMs: number) => number;
}

export function createScanRate(): ScanRate {
  let keysPerSecond = MAX_KEYS_PER_SECOND;
  let least: number | null = null;
  let pingMs: number | null = null;
  return {
    get keysPerSecond() {
      return keysPerSecond;
    },
    get pingMs() {
      return pingMs;
    },
    measured: (ms) => {
      pingMs = ms;
      least = Math.min(least ?? ms, ms);
      const isSlow = ms > SLOW_MS && ms > SLOWER * least;
      keysPerSecond = isSlow
        ? Math.max(LEAST_KEYS_PER_SECOND, Math.round(keysPerSecond / 2))
        : Math.min(MAX_KEYS_PER_SECOND, Math.round(keysPerSecond * 1.25));
    },
    restMs: (keys, tookMs) => {
      const left = (keys * 1000) / keysPerSecond - tookMs;
      // A timer drops fractions, and may ring up to one millisecond early.
      return left <= 0 ? 0 : Math.ceil(left) + 1;
    },
  };
}
