const SAMPLES = 20;

/**
 * Estimates the server's clock from the time stamps it sends. A stamp is always late by its travel time,
 * so the largest difference of the last few is the nearest to the truth.
 */
export interface ServerClock {
  /** Takes in a stamp (epoch ms) that was just received. */
  sample: (at: number) => void;
  /** Epoch ms as the server reckons; the local clock before the first stamp. */
  now: () => number;
  /** After a reconnect the old samples may be from another server. */
  reset: () => void;
}

export function createServerClock(localNow: () => number): ServerClock {
  let differences: number[] = [];
  let offsetMs = 0;
  return {
    sample: (at) => {
      differences = [...differences.slice(1 - SAMPLES), at - localNow()];
      offsetMs = Math.max(...differences);
    },
    now: () => localNow() + offsetMs,
    reset: () => {
      differences = [];
    },
  };
}
