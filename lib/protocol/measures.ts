import { z } from 'zod';
import { HEAT_METRICS, NO_WAIT_REASONS, TARGET_SIGHTS } from './closed-sets';
import { EndReason, Evidence } from './lock';
import { Gap } from './target';
import { Alert } from './alert';

/** Percentiles of a duration in milliseconds; null without samples. */
export const Percentiles = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  count: z.number().int(),
});
export type Percentiles = z.infer<typeof Percentiles>;

export const LockClass = z.object({
  class: z.string(),
  namespace: z.string(),
  formats: z.array(z.string()),
  /** Locks of this class held now. */
  held: z.number().int(),
  locks: z.number().int(),
  acquisitions: z.number().int(),
  /** Average number of waiters over the window; null = not observable. */
  contention: z.number().nullable(),
  /** Share of the window in which a lock of the class was held, summed over locks. */
  holdShare: z.number(),
  holdMs: Percentiles,
  waitMs: Percentiles,
  /** How `contention` is known. */
  evidence: Evidence,
  /** How `waitMs` is known: waiters may be counted without any wait being timed. */
  waitMsEvidence: Evidence,
  ends: z.partialRecord(EndReason, z.number().int()),
});
export type LockClass = z.infer<typeof LockClass>;

/** The window is what the figures cover: the last hour, or since the console first watched if shorter. */
export const ClassPage = z.object({
  from: z.number().int(),
  to: z.number().int(),
  items: z.array(LockClass),
});
export type ClassPage = z.infer<typeof ClassPage>;

export const HeatMetric = z.enum(HEAT_METRICS);
export type HeatMetric = z.infer<typeof HeatMetric>;

export const Heatmap = z.object({
  metric: HeatMetric,
  rows: z.array(z.object({ label: z.string(), path: z.array(z.string()) })),
  /** Start of each column. */
  columns: z.array(z.number().int()),
  stepMs: z.number().int(),
  /** `values[row][column]`; null = unknown. */
  values: z.array(z.array(z.number().nullable())),
  unit: z.string(),
  evidence: Evidence,
  gaps: z.array(Gap),
  /** Rows left out because `rows` was smaller; the hottest are kept. */
  rowsLeftOut: z.number().int(),
});
export type Heatmap = z.infer<typeof Heatmap>;

export const Waits = z.object({
  /** Logarithmic buckets; `le` is the upper bound in ms, inclusive. */
  buckets: z.array(z.object({ le: z.number(), count: z.number().int() })),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  count: z.number().int(),
  evidence: Evidence,
  /** Where the waits were seen, and how many by each. */
  sources: z.array(
    z.object({
      source: z.enum(['fair-queue', 'report', 'token-time']),
      evidence: Evidence,
      count: z.number().int(),
    }),
  ),
  /** Classes with holds in the range of which no single wait is seen, and why not. */
  notObservable: z.array(
    z.object({ class: z.string(), formats: z.array(z.string()), reason: z.enum(NO_WAIT_REASONS) }),
  ),
  holds: z.object({
    buckets: z.array(z.object({ le: z.number(), count: z.number().int() })),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
    p99: z.number().nullable(),
    count: z.number().int(),
  }),
  byClass: z.array(
    z.object({ class: z.string(), waitMs: Percentiles, holdMs: Percentiles, evidence: Evidence }),
  ),
  from: z.number().int(),
  to: z.number().int(),
  gaps: z.array(Gap),
});
export type Waits = z.infer<typeof Waits>;

export const Deadlock = z.object({
  id: z.string(),
  state: z.enum(['confirmed', 'predicted', 'resolved']),
  target: z.string(),
  cycle: z.array(
    z.object({
      owner: z.string(),
      waitsFor: z.object({ db: z.number().int(), key: z.string(), keyB64: z.string() }),
      heldBy: z.string(),
      /** The services that these owners belong to, where their clients say so. */
      ownerApp: z.string().optional(),
      heldByApp: z.string().optional(),
      /** When the owner began to wait, if seen. */
      waitingSince: z.number().int().nullable(),
      /** When the lock it waits for frees itself, null while renewed or without expiry. */
      deadline: z.number().int().nullable(),
      renewed: z.boolean(),
    }),
  ),
  since: z.number().int(),
  resolvedAt: z.number().int().nullable(),
  evidence: Evidence,
});
export type Deadlock = z.infer<typeof Deadlock>;

/** A count per 10-second step, null in a gap. */
export const Series = z.array(z.object({ at: z.number().int(), value: z.number().nullable() }));
export type Series = z.infer<typeof Series>;

export const Overview = z.object({
  alerts: z.array(Alert),
  alertCounts: z.object({
    critical: z.number().int(),
    warning: z.number().int(),
    info: z.number().int(),
  }),
  counters: z.object({
    held: z.number().int(),
    free: z.number().int(),
    coolingDown: z.number().int(),
    noExpiry: z.number().int(),
    orphanQueues: z.number().int(),
    /** Sum over locks whose waiters are observable; null where none are. */
    waiting: z.number().int().nullable(),
    /** Held locks whose waiters cannot be seen: with any, `waiting` is the least there may be. */
    waitingUnknownLocks: z.number().int(),
    /** Rates are null while nothing of the last minute is known. */
    acquisitionsPerMinute: z.number().nullable(),
    lostPerMinute: z.number().nullable(),
  }),
  acquisitions: Series,
  busiest: z.array(LockClass),
  heatmap: Heatmap,
  targets: z.array(
    z.object({
      id: z.string(),
      connected: z.boolean(),
      /** Something is not seen; `sight` says how much is. */
      blind: z.boolean(),
      sight: z.enum(TARGET_SIGHTS),
      eventsPerSecond: z.number(),
      sweeping: z.boolean(),
    }),
  ),
});
export type Overview = z.infer<typeof Overview>;
