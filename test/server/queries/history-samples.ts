import { createSketch } from '@/lib/analysis/sketch';
import type { BlameRow, LockName, Rollup, WaitRow } from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';

/** The target that the server under test watches. */
const TARGET = 'main';

export const STEP_MS = 10_000;
export const MINUTE_MS = 60_000;

/** A distribution as a rollup carries it. */
export function sketchOf(durationsMs: readonly number[]): Uint8Array {
  const sketch = createSketch();
  for (const ms of durationsMs) sketch.add(ms);
  return sketch.serialise();
}

export const aRollup = (over: Partial<Rollup> & { step: number }): Rollup => ({
  target: TARGET,
  class: 'order:*',
  namespace: 'order',
  formatId: 'redisson-fair',
  lock: null,
  spanMs: STEP_MS,
  acquisitions: 1,
  heldMs: 100,
  waiterMs: 0,
  waits: null,
  waitMs: null,
  timeouts: null,
  attempts: null,
  handoffs: 0,
  handoffMs: 0,
  ends: { released: 1 },
  sketches: {},
  ...over,
});

export const aBlame = (over: Partial<BlameRow> & { step: number }): BlameRow => ({
  target: TARGET,
  class: 'order:*',
  namespace: 'order',
  formatId: 'redisson-fair',
  lock: { db: 0, key: 'order:7' },
  cause: 'holder',
  owner: 'anna',
  spanMs: STEP_MS,
  waiterMs: 1000,
  ...over,
});

interface HoldSample extends LockName {
  owner?: string;
  start: number;
  end: number | null;
  generation?: number;
  waited?: HoldRow['waited'];
  notes?: HoldRow['past']['notes'];
  formatId?: string;
  class?: string;
  namespace?: string;
}

/** A hold of a fair lock, by default of the class that is its key. */
export const aHold = ({ db, key, owner = 'anna', start, end, ...over }: HoldSample): HoldRow => ({
  ...{ target: TARGET, db, key, class: over.class ?? key, namespace: over.namespace ?? '' },
  ...{ formatId: over.formatId ?? 'redisson-fair', token: owner, acquisitions: 1 },
  waited: over.waited ?? null,
  past: {
    ...{ generation: over.generation ?? 1, owner, start, end, evidence: 'observed' },
    ...{ endReason: end === null ? null : 'released', renewals: 0, maxDepth: 1, endedBy: null },
    ...{ lateReleaseMs: null, notes: over.notes ?? [] },
  },
});

/** A wait that was given up. */
export const aLeftWait = (
  wait: LockName & { start: number; end: number } & Partial<WaitRow>,
): WaitRow => ({
  ...{ target: TARGET, class: wait.key, namespace: '', formatId: 'redisson-fair', owner: 'wanda' },
  ...{ source: 'fair-queue', evidence: 'observed', outcome: 'left' },
  ...wait,
});

/** mulberry32: the same numbers on every run, in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Durations as waits are: most short, some very long; whole milliseconds. */
export function lognormal(
  size: number,
  { seed, median }: { seed: number; median: number },
): number[] {
  const random = seeded(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: size }, () => Math.round(median * Math.exp(1.5 * normal())) + 1);
}

/** The quantile of the samples themselves, by nearest rank. */
export function exactly(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? Number.NaN;
}
