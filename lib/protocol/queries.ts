import { z } from 'zod';
import { LOCK_SORTS, LOCK_VIEWS } from './closed-sets';
import { Lock, LockDetail, LockState, PastHold } from './lock';
import { AlertCode, AlertDetail, AlertPage, AlertState, Severity } from './alert';
import { AuditPage } from './audit';
import { Discovery, LibrariesPage, Pin } from './libraries';
import { DryRun, RuleSetting, RulesPage } from './rules';
import { Target } from './target';
import { Trace, TracePage, TraceParams } from './trace';
import { ConfigurationPage, TimeoutsPage } from './advice';
import { Deadlock, Orders, WaitChain } from './deadlock';
import { NotifyPage } from './notify';
import {
  AdvicePage,
  Blame,
  ClassPage,
  HeatCell,
  Heatmap,
  HeatMetric,
  HistoryKept,
  Overview,
  Waits,
} from './measures';
import { Past, PastLockMoment } from './past';

/** A query string has only text: digits are read as the number they write, and nothing else is. */
const wholeBetween = (min: number, max: number) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
    z.number().int().min(min).max(max),
  );
const whole = wholeBetween(0, Number.MAX_SAFE_INTEGER);
const time = whole;
const limit = wholeBetween(1, 1000);
/** A query string has only text. */
const flag = z.preprocess(
  (given) => (given === 'true' ? true : given === 'false' ? false : given),
  z.boolean(),
);
/** Room for a key of 5,000 bytes of which each is printed as `\xHH`, and for what surrounds it. */
const printed = z.string().max(100_000);
/** Where the next page begins, as an earlier answer gave it. */
const cursor = z.string().regex(/^\d{1,15}$/, 'is not one that an earlier answer gave');

/** Selects locks. `q` is free text over key, owner, class; the rest are exact. */
export const LockFilter = z.object({
  q: printed.optional(),
  state: LockState.optional(),
  format: z.string().max(64).optional(),
  class: printed.optional(),
  owner: printed.optional(),
  namespace: printed.optional(),
  db: whole.optional(),
  view: z.enum(LOCK_VIEWS).optional(),
  /** `hide` leaves out what nobody holds. */
  free: z.enum(['hide']).optional(),
});
export type LockFilter = z.infer<typeof LockFilter>;

export const LockSort = z.enum(LOCK_SORTS);
export type LockSort = z.infer<typeof LockSort>;

export const LocksParams = LockFilter.extend({
  sort: LockSort.optional(),
  limit: limit.optional(),
  cursor: cursor.optional(),
});
export type LocksParams = z.infer<typeof LocksParams>;

/** `cursor` addresses the next page by position; null on the last. */
export const LockPage = z.object({
  items: z.array(Lock),
  total: z.number().int(),
  /** Locks before any filter. */
  all: z.number().int(),
  /** Matching locks that are held and of a library that is released from here; null where not counted. */
  releasable: z.number().int().nullable().optional(),
  offset: z.number().int(),
  cursor: z.string().nullable(),
  /** False while Redis is out of reach: the locks are as they were last seen. */
  connected: z.boolean(),
});
export type LockPage = z.infer<typeof LockPage>;

export const LockParams = z.object({
  target: z.string().max(256),
  db: whole,
  keyB64: z.string().max(100_000),
});
export type LockParams = z.infer<typeof LockParams>;

/** `key` is the printable form or, with `keyB64`, the exact bytes. Without `at`: all holds, newest first. */
export const HoldsParams = z.object({
  key: printed.optional(),
  keyB64: z.string().max(100_000).optional(),
  db: whole.optional(),
  at: time.optional(),
  limit: limit.optional(),
});
export type HoldsParams = z.infer<typeof HoldsParams>;

/** With `at` inside a gap `evidence` says so: `unknown`. */
export const HoldPage = z.object({
  items: z.array(
    PastHold.extend({
      target: z.string(),
      db: z.number().int(),
      key: z.string(),
      keyB64: z.string(),
    }),
  ),
  at: z.number().int().nullable(),
  inGap: z.boolean(),
});
export type HoldPage = z.infer<typeof HoldPage>;

export const HeatmapParams = z.object({
  metric: HeatMetric.optional(),
  from: time.optional(),
  to: time.optional(),
  rows: wholeBetween(1, 5000).optional(),
  group: z.enum(['class', 'lock', 'owner']).optional(),
  /** Only rows of this namespace, or of this class. */
  namespace: printed.optional(),
  class: printed.optional(),
  /** True: `cells` in place of `values`, a tenth of the size and 0.025 % off. */
  packed: flag.optional(),
});
export type HeatmapParams = z.infer<typeof HeatmapParams>;

/** One row of a heatmap, as its `path` and `lock` name it, and a span of time. */
export const HeatCellParams = z.object({
  namespace: printed.optional(),
  class: printed.optional(),
  db: whole.optional(),
  keyB64: z.string().max(100_000).optional(),
  owner: printed.optional(),
  from: time,
  to: time,
});
export type HeatCellParams = z.infer<typeof HeatCellParams>;

/** `key` is printable, `keyB64` exact; without `db` a key means the locks of that name in all of them. */
const subject = {
  namespace: printed.optional(),
  class: printed.optional(),
  key: printed.optional(),
  keyB64: z.string().max(100_000).optional(),
  db: whole.optional(),
};

export const WaitsParams = z.object({
  ...subject,
  from: time.optional(),
  to: time.optional(),
  /** A moment within the range: what was before and after it is compared. */
  marker: time.optional(),
});
export type WaitsParams = z.infer<typeof WaitsParams>;

/** The last five minutes by default. */
export const BlameParams = z.object({
  ...subject,
  from: time.optional(),
  to: time.optional(),
  /** `process` puts what threads and tasks caused down to their process, where owners tell it; `owner` is then that. */
  by: z.enum(['holder', 'process']).optional(),
  limit: limit.optional(),
});
export type BlameParams = z.infer<typeof BlameParams>;

export const PastParams = z.object({
  at: time,
  q: printed.optional(),
  namespace: printed.optional(),
  class: printed.optional(),
  owner: printed.optional(),
  limit: limit.optional(),
  cursor: cursor.optional(),
});
export type PastParams = z.infer<typeof PastParams>;

export const PastLockParams = LockParams.extend({ at: time });
export type PastLockParams = z.infer<typeof PastLockParams>;

/** With `at`: as they stood at that moment. */
export const DeadlocksParams = z.object({ at: time.optional() });
export type DeadlocksParams = z.infer<typeof DeadlocksParams>;

/** The last hour by default. */
export const AdviceParams = z.object({ from: time.optional(), to: time.optional() });
export type AdviceParams = z.infer<typeof AdviceParams>;

export const AlertsParams = z.object({
  state: AlertState.or(z.literal('open')).optional(),
  code: AlertCode.optional(),
  severity: Severity.optional(),
  class: printed.optional(),
  namespace: printed.optional(),
  owner: printed.optional(),
  node: printed.optional(),
  /** Free text over label and summary, class and owner. */
  q: printed.optional(),
  limit: limit.optional(),
});
export type AlertsParams = z.infer<typeof AlertsParams>;

export const AlertParams = z.object({ id: z.string().min(1).max(200) });
export type AlertParams = z.infer<typeof AlertParams>;

/** JSON where a query string brings it. */
const inJson = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given) => (typeof given === 'string' ? parsedJson(given) : given), schema);

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses the text and says what it expects.
    return text;
  }
}

/** The last seven days by default; without `class` for all classes, but for those that have a setting of their own. */
export const RuleDryRunParams = z.object({
  code: AlertCode,
  class: printed.optional(),
  setting: inJson(RuleSetting),
  from: time.optional(),
  to: time.optional(),
});
export type RuleDryRunParams = z.infer<typeof RuleDryRunParams>;

export const AuditParams = z.object({
  from: time.optional(),
  to: time.optional(),
  actor: z.string().max(200).optional(),
  key: printed.optional(),
  limit: limit.optional(),
  cursor: cursor.optional(),
});
export type AuditParams = z.infer<typeof AuditParams>;

export const DiscoveryParams = z.object({ id: z.string().min(1).max(64) });
export type DiscoveryParams = z.infer<typeof DiscoveryParams>;

const none = z.object({});

/** What any client may read, over REST and live alike. The server has one function of each name. */
export const QUERIES = {
  overview: { params: none, result: Overview },
  locks: { params: LocksParams, result: LockPage },
  lock: { params: LockParams, result: LockDetail },
  holds: { params: HoldsParams, result: HoldPage },
  classes: { params: z.object({ from: time.optional(), to: time.optional() }), result: ClassPage },
  heatmap: { params: HeatmapParams, result: Heatmap },
  'heat-cell': { params: HeatCellParams, result: HeatCell },
  waits: { params: WaitsParams, result: Waits },
  blame: { params: BlameParams, result: Blame },
  past: { params: PastParams, result: Past },
  'past-lock': { params: PastLockParams, result: PastLockMoment },
  advice: { params: AdviceParams, result: AdvicePage },
  timeouts: { params: none, result: TimeoutsPage },
  configuration: { params: none, result: ConfigurationPage },
  history: { params: none, result: HistoryKept },
  deadlocks: { params: DeadlocksParams, result: z.array(Deadlock) },
  chains: { params: none, result: z.array(WaitChain) },
  orders: { params: none, result: Orders },
  alerts: { params: AlertsParams, result: AlertPage },
  alert: { params: AlertParams, result: AlertDetail },
  rules: { params: none, result: RulesPage },
  'rule-dry-run': { params: RuleDryRunParams, result: DryRun },
  audit: { params: AuditParams, result: AuditPage },
  targets: { params: none, result: z.array(Target) },
  traces: { params: none, result: TracePage },
  trace: { params: TraceParams, result: Trace },
  pins: { params: none, result: z.array(Pin) },
  libraries: { params: none, result: LibrariesPage },
  discovery: { params: DiscoveryParams, result: Discovery },
  notify: { params: none, result: NotifyPage },
} as const;
export type QueryName = keyof typeof QUERIES;
export type QueryParams<N extends QueryName> = z.infer<(typeof QUERIES)[N]['params']>;
export type QueryResult<N extends QueryName> = z.infer<(typeof QUERIES)[N]['result']>;
