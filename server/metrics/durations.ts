/** Seconds. From a hand-over inside Redis to a wait that somebody should have given up. */
export const BOUNDS_S = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
] as const;

const BOUNDS_MS = BOUNDS_S.map((seconds) => seconds * 1000);

/** A distribution over {@link BOUNDS_S}. */
export class Durations {
  /** One for each bound, and what is longer than all. */
  readonly counts: number[] = Array.from({ length: BOUNDS_MS.length + 1 }, () => 0);
  sumMs = 0;

  add(ms: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] ?? 0)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumMs += ms;
  }

  merge(other: Durations): void {
    for (const [bucket, count] of other.counts.entries()) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    }
    this.sumMs += other.sumMs;
  }
}
