import { z } from 'zod';
import {
  ADVICE_ASSUMPTIONS,
  ADVICE_SILENCES,
  BLAME_CAUSES,
  HEAT_METRICS,
  HEAT_ROW_KINDS,
  NO_WAIT_REASONS,
  TARGET_SIGHTS,
  WAIT_SOURCES,
} from './closed-sets';
import { EndReason, Evidence, Owner, PastHold } from './lock';
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

/** A lock by its place; `key` is printable, `keyB64` its bytes. */
export const LockName = z.object({
  db: z.number().int(),
  key: z.string(),
  keyB64: z.string(),
});
export type LockName = z.infer<typeof LockName>;

export const HeatRow = z.object({
  label: z.string(),
  /** Namespace, class, and the lock or owner; `others` end with what they are the rest of. */
  path: z.array(z.string()),
  kind: z.enum(HEAT_ROW_KINDS),
  lock: LockName.optional(),
  /** `others`: how many rows were added up, where that is known. */
  merged: z.number().int().optional(),
});
export type HeatRow = z.infer<typeof HeatRow>;

export const Heatmap = z.object({
  metric: HeatMetric,
  rows: z.array(HeatRow),
  /** Start of each column. */
  columns: z.array(z.number().int()),
  stepMs: z.number().int(),
  /** `values[row][column]`; null = unknown. Empty where there are `cells`. */
  values: z.array(z.array(z.number().nullable())),
  /** With `packed`: a text for each column, as `heat-cells.ts` packs and unpacks them. */
  cells: z.array(z.string()).optional(),
  unit: z.string(),
  evidence: Evidence,
  gaps: z.array(Gap),
  /** Rows that are not shown one by one: they are in `others` where there is such a row. */
  rowsLeftOut: z.number().int(),
});
export type Heatmap = z.infer<typeof Heatmap>;

/** All metrics of one row in one span of time, and what made it hot. */
export const HeatCell = z.object({
  from: z.number().int(),
  to: z.number().int(),
  values: z.array(z.object({ metric: HeatMetric, value: z.number().nullable(), unit: z.string() })),
  gaps: z.array(Gap),
  /** Who made others wait the longest. */
  blame: z.array(z.lazy(() => BlameLeaf)),
});
export type HeatCell = z.infer<typeof HeatCell>;

/** Percentiles with their tails, for charts of time; null without samples. */
export const Quantiles = z.object({
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  p999: z.number().nullable(),
  count: z.number().int(),
});
export type Quantiles = z.infer<typeof Quantiles>;

/** Logarithmic buckets; `le` is the upper bound in ms, inclusive. */
export const Distribution = Quantiles.extend({
  buckets: z.array(z.object({ le: z.number(), count: z.number().int() })),
});
export type Distribution = z.infer<typeof Distribution>;

export const WaitSource = z.enum(WAIT_SOURCES);
export type WaitSource = z.infer<typeof WaitSource>;

/** Where an owner runs, as far as it says so. */
export const OwnerPlace = Owner.pick({ app: true, host: true, ip: true, pid: true });
export type OwnerPlace = z.infer<typeof OwnerPlace>;

/** An owner that says where it runs. */
export const PlacedOwner = OwnerPlace.extend({ owner: z.string() });
export type PlacedOwner = z.infer<typeof PlacedOwner>;

/** One wait that is over, and who held the lock meanwhile. */
export const PastWait = LockName.extend({
  class: z.string(),
  namespace: z.string(),
  owner: z.string().nullable(),
  start: z.number().int(),
  end: z.number().int(),
  source: WaitSource,
  evidence: Evidence,
  outcome: z.enum(['granted', 'left']),
  /** Holds within the wait, oldest first, and how many more there were. */
  heldBy: z.array(PastHold),
  heldByMore: z.number().int(),
});
export type PastWait = z.infer<typeof PastWait>;

export const Waits = Distribution.extend({
  evidence: Evidence,
  /** Where the waits were seen, and how many by each. */
  sources: z.array(z.object({ source: WaitSource, evidence: Evidence, count: z.number().int() })),
  /** The same waits, apart by how well they are known. */
  byEvidence: z.array(Distribution.extend({ evidence: Evidence })),
  /** Classes with holds in the range of which no single wait is seen, and why not. */
  notObservable: z.array(
    z.object({ class: z.string(), formats: z.array(z.string()), reason: z.enum(NO_WAIT_REASONS) }),
  ),
  holds: Distribution,
  byClass: z.array(
    z.object({
      class: z.string(),
      namespace: z.string(),
      waitMs: Percentiles,
      holdMs: Percentiles,
      evidence: Evidence,
    }),
  ),
  /** Over time, one entry for each step; null where nothing is known. */
  stepMs: z.number().int(),
  series: z.array(
    z.object({ at: z.number().int(), waits: Quantiles.nullable(), holds: Quantiles.nullable() }),
  ),
  /** The longest waits of the range. */
  slowest: z.array(PastWait),
  /** Of the owners in `slowest`, those who say where they run. */
  places: z.array(PlacedOwner).optional(),
  /** The range before and after the marker that was asked for. */
  marker: z
    .object({
      at: z.number().int(),
      before: z.object({ waits: Quantiles, holds: Quantiles }),
      after: z.object({ waits: Quantiles, holds: Quantiles }),
    })
    .nullable(),
  /** Namespaces with waits or holds in the range, whatever was asked for. */
  namespaces: z.array(z.string()),
  from: z.number().int(),
  to: z.number().int(),
  gaps: z.array(Gap),
});
export type Waits = z.infer<typeof Waits>;

/** Waiting time that one holder of one lock caused. */
export const BlameLeaf = z.object({
  namespace: z.string(),
  class: z.string(),
  /** Null = locks of the class too small to be kept one by one. */
  lock: LockName.nullable(),
  cause: z.enum(BLAME_CAUSES),
  owner: z.string().nullable(),
  /** Where the owner runs, as far as it says so; left out = nothing is known. */
  place: OwnerPlace.optional(),
  /** Waiter-milliseconds: what all who waited spent, added up. */
  waitMs: z.number(),
});
export type BlameLeaf = z.infer<typeof BlameLeaf>;

/** Who made others wait, greatest first. */
export const Blame = z.object({
  from: z.number().int(),
  to: z.number().int(),
  totalMs: z.number(),
  leaves: z.array(BlameLeaf),
  /** Leaves beyond the limit, and their waiting time, which `totalMs` includes. */
  leftOut: z.object({ count: z.number().int(), waitMs: z.number() }),
  evidence: Evidence,
  /** Classes that are held and of which nobody can tell who waits: they are missing here. */
  notObservable: z.array(z.string()),
  gaps: z.array(Gap),
});
export type Blame = z.infer<typeof Blame>;

/** What is kept of the past. */
export const HistoryKept = z.object({
  kind: z.enum(['sqlite', 'postgres']),
  diskBytes: z.number().nullable(),
  maxBytes: z.number().nullable(),
  cutAt: z.number().int().nullable(),
  tiers: z.array(
    z.object({
      spanMs: z.number().int(),
      keepMs: z.number().int(),
      from: z.number().int().nullable(),
    }),
  ),
  /** `from`: of moments before this no hold is known. */
  holds: z.object({ keepMs: z.number().int(), from: z.number().int().nullable() }),
  /** Gaps since `holds.from`, oldest first; at most the newest 1,000. */
  gaps: z.array(Gap),
  /** Rows that were given up because the database stayed out of reach. */
  lostRows: z.number().int(),
});
export type HistoryKept = z.infer<typeof HistoryKept>;

/** A change of how a resource is locked, with what the recorded past says it would bring. */
export const Advice = z.object({
  id: z.string(),
  kind: z.enum(['split', 'group']),
  namespace: z.string(),
  /** The class (`split`), or the classes taken together, the one taken first before the other (`group`). */
  classes: z.array(z.string()),
  /** The hot lock that is to be split; left out for `group`. */
  lock: LockName.optional(),
  /** Into how many segments (`split`). */
  segments: z.number().int().nullable(),
  /** Average number of waiters as replayed: as it is, and with the change. */
  contentionNow: z.number(),
  contentionThen: z.number(),
  /** 0…1: by how much less is waited. */
  drop: z.number(),
  /** What else was tried, the advice included, fewest segments first; empty for `group`. */
  options: z.array(
    z.object({ segments: z.number().int(), contention: z.number(), drop: z.number() }),
  ),
  /** Waits with the change. */
  waitMsThen: Percentiles,
  /** What was replayed. */
  basis: z.object({
    from: z.number().int(),
    to: z.number().int(),
    arrivals: z.number().int(),
    /** How often one owner had them at once (`group`). */
    together: z.number().int().nullable(),
    /** Average number of waiters by the recorded waits: the replay as it is should come out like this. */
    recorded: z.number(),
    holdMs: Percentiles,
    waitMs: Percentiles,
  }),
  assumes: z.enum(ADVICE_ASSUMPTIONS),
  /** How well the arrivals are known. */
  evidence: Evidence,
});
export type Advice = z.infer<typeof Advice>;

export const AdvicePage = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** What spares the most waiting first. */
  items: z.array(Advice),
  /** Busy classes about which nothing can be said, and why. */
  silent: z.array(
    z.object({
      class: z.string(),
      namespace: z.string(),
      because: z.enum(ADVICE_SILENCES),
    }),
  ),
});
export type AdvicePage = z.infer<typeof AdvicePage>;

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
  /** Holds that their owners lost, by the same steps. */
  lost: Series,
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
