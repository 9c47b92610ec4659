/** Two beats a second: five minutes of them. */
const MOST_SAMPLES = 600;
const LEAST_SAMPLES = 30;

/** How long Redis takes to answer us, over the last minutes. */
export interface RoundTrips {
  add: (ms: number) => void;
  /** Of the last five minutes, ms; null before there are enough. */
  figures: () => { p50Ms: number; p99Ms: number; count: number } | null;
  /** Another connection, another way. */
  reset: () => void;
}

export function createRoundTrips(): RoundTrips {
  let samples: number[] = [];
  return {
    add: (ms) => {
      samples.push(ms);
      if (samples.length > MOST_SAMPLES) samples.shift();
    },
    figures: () => {
      const count = samples.length;
      if (count < LEAST_SAMPLES) return null;
      const sorted = samples.toSorted((a, b) => a - b);
      const rank = (q: number): number => sorted[Math.ceil(q * count) - 1] ?? 0;
      return { p50Ms: rank(0.5), p99Ms: rank(0.99), count };
    },
    reset: () => {
      samples = [];
    },
  };
}
