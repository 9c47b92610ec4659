import { quantile } from '@/test/perf/statistics';

/** One pass through the critical section; times on the clock that all processes share, ms. */
export interface Section {
  worker: number;
  askedAt: number;
  /** After the client said that the lock is held. */
  enteredAt: number;
  /** Before the client was asked to release it. */
  leftAt: number;
  fence?: number;
}

/** A wait that was not over when the run was. */
export interface Unserved {
  worker: number;
  askedAt: number;
  givenUpAt: number;
}

export interface ContendedFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  holdMs: number;
  /** From one's leaving to the next one's entering: what the client adds to a hold. */
  handOverMs: number;
  p99OverIdeal: number;
  maxMin: number;
  commandsPerAcquire: number;
  overlaps: number;
  /** Entries with a fencing token that is not above the one before. */
  fencesOutOfOrder: number;
}

const byEntry = (sections: readonly Section[]): Section[] =>
  [...sections].sort((a, b) => a.enteredAt - b.enteredAt);

/** How many sections were entered while another one had not been left. */
export function countOverlaps(sections: readonly Section[]): number {
  let overlaps = 0;
  let allLeftAt = -Infinity;
  for (const { enteredAt, leftAt } of byEntry(sections)) {
    if (enteredAt < allLeftAt) overlaps++;
    allLeftAt = Math.max(allLeftAt, leftAt);
  }
  return overlaps;
}

export function countFencesOutOfOrder(sections: readonly Section[]): number {
  let wrong = 0;
  let last = -Infinity;
  for (const { fence } of byEntry(sections)) {
    if (fence === undefined) continue;
    if (fence <= last) wrong++;
    last = Math.max(last, fence);
  }
  return wrong;
}

/**
 * Most over fewest entries of a worker. A worker that never entered counts as one entry, so that the figure
 * stays a number: the truth is then worse.
 */
export function maxMin(entered: readonly Section[], workers: number): number {
  const counts = Array.from({ length: workers }, () => 0);
  for (const { worker } of entered) counts[worker] = (counts[worker] ?? 0) + 1;
  return Math.max(...counts) / Math.max(1, Math.min(...counts));
}

/** The median time for which nobody is inside, ms. */
function handOverMs(entered: readonly Section[]): number {
  const inOrder = byEntry(entered);
  const gaps = inOrder.slice(1).map(({ enteredAt }, i) => enteredAt - (inOrder[i]?.leftAt ?? 0));
  return quantile(gaps, 0.5);
}

/**
 * Waits that ended in the window, and those that had begun in it or before and had not ended with it, as long
 * as they were seen to last: leaving those out would flatter whoever lets a worker starve.
 */
function waitsOf(run: ContendedRun): number[] {
  const { startsAt, endsAt } = run;
  return [
    ...run.sections
      .filter(({ askedAt, enteredAt }) => enteredAt >= startsAt && askedAt < endsAt)
      .map(({ askedAt, enteredAt }) => enteredAt - askedAt),
    ...run.unserved
      .filter(({ askedAt }) => askedAt < endsAt)
      .map(({ askedAt, givenUpAt }) => givenUpAt - askedAt),
  ];
}

export interface ContendedRun {
  sections: readonly Section[];
  unserved: readonly Unserved[];
  commands: number;
  workers: number;
  startsAt: number;
  endsAt: number;
}

/** What one run of all processes says. The ideal wait is one hold of every worker, as long as holds were. */
export function summarise(run: ContendedRun): ContendedFigures {
  const entered = run.sections.filter(
    ({ enteredAt }) => enteredAt >= run.startsAt && enteredAt < run.endsAt,
  );
  const heldMs = entered.reduce((sum, { enteredAt, leftAt }) => sum + leftAt - enteredAt, 0);
  const holdMs = heldMs / entered.length;
  const waits = waitsOf(run);
  const p99Ms = quantile(waits, 0.99);
  return {
    perSecond: entered.length / ((run.endsAt - run.startsAt) / 1000),
    p50Ms: quantile(waits, 0.5),
    p99Ms,
    maxMs: Math.max(...waits),
    holdMs,
    handOverMs: handOverMs(entered),
    p99OverIdeal: p99Ms / (run.workers * holdMs),
    maxMin: maxMin(entered, run.workers),
    commandsPerAcquire: run.commands / entered.length,
    overlaps: countOverlaps(run.sections),
    fencesOutOfOrder: countFencesOutOfOrder(run.sections),
  };
}
