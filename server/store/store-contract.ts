import type { Kysely } from 'kysely';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import type { AuditEntry, AuditOutcome } from '@/lib/protocol/audit';
import type { Bytes } from '@/lib/protocol/bytes';
import type { PastHold } from '@/lib/protocol/lock';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Gap } from '@/lib/protocol/target';
import type { HoldRecord } from '@/server/state/lock-record';
import type { OpenHold } from '@/server/state/table-contract';
import type {
  BlameQuery,
  BlameRow,
  HeatQuery,
  HeatSums,
  Kept,
  Rollup,
  RollupsQuery,
  StepParts,
  WaitRow,
  WaitsQuery,
} from './history-contract';

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
  /** How long the holder had waited for it, where that is told. */
  waited: HoldRecord['waitedMs'];
  /** Nothing of this hold was handed to a store before: none needs to look for it. */
  isNew?: true;
  past: PastHold;
}

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

/** Something that operators set. Kinds: `rule`, `silence`, `channel`, `routes`, `intended-order`; what is learnt or done: `lock-order`, `published-lease`. */
export interface StoredDocument {
  kind: string;
  id: string;
  /** Plain JSON; who reads it checks it. */
  value: unknown;
}

/** As it was read: its version is another one with each change. */
export interface VersionedDocument extends StoredDocument {
  version: number;
}

/** One thing of which one channel is to be told. */
export interface NoticeRow {
  /** The same for the same thing. */
  id: string;
  /** Id of the alert; null for a test. */
  alert: string | null;
  channel: string;
  /** When it came about, epoch ms. */
  at: number;
  /** When it is tried next; null = it is done with. */
  dueAt: number | null;
  /** Plain JSON; who reads it checks it. */
  value: unknown;
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
  /**
   * Adds to what is there of the same series and step, which may be any step of `ROLLUP_STEP_MS`, however old.
   * All in one transaction, and once for each `part`.
   */
  writeRollups: (rows: StepParts) => Promise<void>;
  /** Waits that ended without the lock; those that ended with it are told by its hold. */
  writeLeftWaits: (rows: readonly WaitRow[]) => Promise<void>;
  writeGap: (target: string, gap: Gap) => Promise<void>;
  openHolds: (target: string) => Promise<OpenHold[]>;
  /** Up to when all of this target is here: what happened since is a gap of reason `console-stopped`. */
  lastAliveAt: (target: string) => Promise<number | null>;
  markAlive: (target: string, at: number) => Promise<void>;

  /** Newest first. `at` selects holds that cover the moment. */
  holds: (query: {
    target?: string;
    db?: number;
    key?: Bytes;
    class?: string;
    namespace?: string;
    /** As in `PastHold.owner`. */
    owner?: string;
    at?: number;
    from?: number;
    to?: number;
    /** Open, or held for longer (ms). */
    lastedMs?: number;
    limit: number;
  }) => Promise<HoldRow[]>;
  /** Of each step the tier that is kept; steps that reach into the range count whole. Oldest first. */
  rollups: (query: RollupsQuery) => Promise<Rollup[]>;
  heat: (query: HeatQuery) => Promise<HeatSums>;
  /** Added up over the range. */
  blame: (query: BlameQuery) => Promise<BlameRow[]>;
  waits: (query: WaitsQuery) => Promise<WaitRow[]>;
  /** Start of the oldest step kept; null without history of that target. */
  firstRollupAt: (target: string) => Promise<number | null>;
  kept: () => Promise<Kept>;
  /** Names of lock classes that history knows, the last used first. */
  classes: (target: string) => Promise<string[]>;
  /** Milliseconds held and acquisitions per owner, class and step, from the holds one by one. */
  heldPerStep: (query: {
    by: 'owner';
    target: string;
    namespace?: string | undefined;
    class?: string | undefined;
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

  /** With lines of their timelines: all of it or nothing. Calls take effect in their order. */
  saveAlerts: (alerts: readonly Alert[], events?: readonly AlertEvent[]) => Promise<void>;
  /** Most recently changed first; `from` and `skip` count by that order. */
  alerts: (query: {
    state?: Alert['state'] | 'open';
    code?: string;
    /** Changed then or later. */
    from?: number;
    skip?: number;
    limit: number;
  }) => Promise<Alert[]>;
  alert: (id: string) => Promise<Alert | null>;
  /** Lines of alerts that are saved already. One that is saved twice is there once. */
  saveAlertEvents: (events: readonly AlertEvent[]) => Promise<void>;
  /** Oldest first; of more than `limit` the newest. */
  alertEvents: (query: { alert: string; limit: number }) => Promise<AlertEvent[]>;
  /**
   * Replaces one of the same kind and id, and returns its version. With `expected` it throws CONFLICT where what is
   * there is of another version; null = nothing is there.
   */
  saveDocument: (document: StoredDocument, expected?: number | null) => Promise<number>;
  /** With `expected` it throws CONFLICT where what is there is of another version. */
  removeDocument: (kind: string, id: string, expected?: number) => Promise<void>;
  /** The longest unchanged first. */
  documents: (kind: string) => Promise<VersionedDocument[]>;
  /** By kind, another text whenever one of its documents changed; cheap. */
  documentStates: (kinds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Those that are there already stay as they are. */
  addNotices: (rows: readonly NoticeRow[]) => Promise<void>;
  saveNotices: (rows: readonly NoticeRow[]) => Promise<void>;
  removeNotices: (ids: readonly string[]) => Promise<void>;
  /** Those that are not done with, oldest first. */
  dueNotices: (limit: number) => Promise<NoticeRow[]>;
  /** Newest first. */
  newestNotices: (limit: number) => Promise<NoticeRow[]>;
  /** All of these alerts, oldest first. */
  noticesOfAlerts: (alerts: readonly string[]) => Promise<NoticeRow[]>;
  saveDeadlock: (deadlock: Deadlock) => Promise<void>;
  /** Newest first; with `at` those that stood at that moment. */
  deadlocks: (query: { at?: number; limit: number }) => Promise<Deadlock[]>;

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
