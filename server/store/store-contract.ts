import type { Kysely } from 'kysely';
import type { Alert } from '@/lib/protocol/alert';
import type { AuditEntry, AuditOutcome } from '@/lib/protocol/audit';
import type { Bytes } from '@/lib/protocol/bytes';
import type { EndReason, PastHold } from '@/lib/protocol/lock';
import type { Deadlock } from '@/lib/protocol/measures';
import type { Gap } from '@/lib/protocol/target';
import type { WaitSource } from '@/server/state/lock-record';
import type { OpenHold } from '@/server/state/table-contract';

/** One hold as history keeps it. `end` null = still open when written. */
export interface HoldRow {
  target: string;
  db: number;
  key: Bytes;
  class: string;
  namespace: string;
  formatId: string;
  token: Bytes | null;
  acquisitions: number;
  past: PastHold;
}

/** What one class did in one step of `ROLLUP_STEP_MS`. Sums, so that steps add up to longer spans. */
export interface Rollup {
  target: string;
  class: string;
  namespace: string;
  formatId: string;
  /** Start of the step, a multiple of ROLLUP_STEP_MS. */
  step: number;
  /** Length of the step; absent = ROLLUP_STEP_MS. Rollups older than a day are merged to minutes. */
  spanMs?: number;
  acquisitions: number;
  /** Milliseconds held within the step, summed over locks. */
  heldMs: number;
  /** Waiter-milliseconds within the step; null where waiters cannot be observed. */
  waiterMs: number | null;
  ends: Partial<Record<EndReason, number>>;
  handoffMsSum: number;
  handoffCount: number;
  /** Serialised `lib/analysis/sketch` of hold durations (ms), holds ended in the step. Null = none. */
  holdSketch: Uint8Array | null;
  /** The same for waits that ended in the step, by source. */
  waitSketches: Partial<Record<WaitSource, Uint8Array>>;
}

export const ROLLUP_STEP_MS = 10_000;

export interface AuditDraft {
  at: number;
  actor: string;
  action: string;
  target: string | null;
  db: number | null;
  key: Bytes | null;
  reason: string | null;
  outcome: AuditOutcome;
  code: string | null;
  before: unknown;
  after: unknown;
  requestId: string;
  businessId: string | null;
}

/** What an operator said of the keys of one pattern: which library they are locks of. */
export interface PinRow {
  /** Glob over the bytes of keys. */
  pattern: Bytes;
  /** Id of the lock format. */
  format: string;
  createdAt: number;
  actor: string;
  reason: string;
}

export interface StoreHealth {
  ok: boolean;
  /** For a person; null when ok. */
  problem: string | null;
  kind: 'sqlite' | 'postgres';
  since: number;
  /** What the database takes on disk, a minute old at most; null = not known. */
  diskBytes: number | null;
}

/**
 * History, alerts, audit and users. All calls are asynchronous and reject with `STORE_UNAVAILABLE` when
 * the database cannot be written; nothing is acknowledged before it is on disk.
 */
export interface Store {
  start: () => Promise<void>;
  stop: () => Promise<void>;
  readonly health: StoreHealth;
  onHealthChange: (listener: (health: StoreHealth) => void) => () => void;

  /**
   * Writes something and commits, to find out whether the store is why better-auth failed: it uses the
   * database without `health` hearing of it.
   */
  probe: () => Promise<void>;

  /** Upserts by (target, db, key, generation). */
  writeHolds: (rows: readonly HoldRow[]) => Promise<void>;
  /** Adds to rows of the same (target, class, format, step). */
  writeRollups: (rows: readonly Rollup[]) => Promise<void>;
  writeGap: (target: string, gap: Gap) => Promise<void>;
  openHolds: (target: string) => Promise<OpenHold[]>;
  /** When this target was last written to: what happened since is a gap of reason `console-stopped`. */
  lastAliveAt: (target: string) => Promise<number | null>;
  markAlive: (target: string, at: number) => Promise<void>;

  /** Newest first. `at` selects holds that cover the moment. */
  holds: (query: {
    target?: string;
    db?: number;
    key?: Bytes;
    class?: string;
    at?: number;
    from?: number;
    to?: number;
    limit: number;
  }) => Promise<HoldRow[]>;
  /** Steps that begin within `from`…`to` (exclusive), or cover `from`; oldest first. */
  rollups: (query: {
    target?: string;
    class?: string;
    from: number;
    to: number;
    /** False leaves the sketches out (null, {}): much less to read. */
    sketches?: boolean;
  }) => Promise<Rollup[]>;
  /** Start of the oldest step kept, of any target; null without history. */
  firstRollupAt: () => Promise<number | null>;
  /** Milliseconds held and acquisitions per (lock or owner) and step, for the finer heatmaps. */
  heldPerStep: (query: {
    by: 'lock' | 'owner';
    from: number;
    to: number;
    stepMs: number;
    rows: number;
  }) => Promise<
    {
      label: string;
      class: string;
      namespace: string;
      step: number;
      heldMs: number;
      acquisitions: number;
      lost: number;
    }[]
  >;
  gaps: (query: {
    target?: string;
    from: number;
    to: number;
  }) => Promise<(Gap & { target: string })[]>;

  saveAlerts: (alerts: readonly Alert[]) => Promise<void>;
  alerts: (query: {
    state?: Alert['state'] | 'open';
    code?: string;
    limit: number;
  }) => Promise<Alert[]>;
  saveDeadlock: (deadlock: Deadlock) => Promise<void>;
  deadlocks: (query: { limit: number }) => Promise<Deadlock[]>;

  /** Replaces a pin of the same pattern. */
  savePin: (target: string, pin: PinRow) => Promise<void>;
  removePin: (target: string, pattern: Bytes) => Promise<void>;
  /** Newest first. */
  pins: (target: string) => Promise<PinRow[]>;

  /** Appends one link to the chain and returns it once it is durable. */
  appendAudit: (draft: AuditDraft) => Promise<AuditEntry>;
  audit: (query: {
    from?: number;
    to?: number;
    actor?: string;
    key?: string;
    limit: number;
    cursor?: string;
  }) => Promise<{ items: AuditEntry[]; cursor: string | null }>;
  /** Recomputes the chain; `brokenAt` is the first seq that does not fit. */
  verifyAudit: () => Promise<{ entries: number; brokenAt: number | null }>;

  /** For better-auth only: the same database, its own tables. */
  readonly authDatabase: { db: Kysely<Record<string, never>>; type: 'sqlite' | 'postgres' };
}
