import type { Generated } from 'kysely';

/**
 * The tables as kysely sees them, equal on both databases. Long values (keys, owners, tokens, classes)
 * are stored once and rows refer to them by number, which makes a hold about 60 bytes.
 */
export interface Schema {
  targets: Dictionary;
  /** Owners, tokens and what ended a hold. */
  words: Dictionary;
  locks: Dictionary & { target_id: number; db: number };
  /** What figures are about: (target, class, namespace, format), and of a single lock that too. */
  series: Dictionary & {
    target_id: number;
    lock_id: number | null;
    class: Uint8Array;
    namespace: Uint8Array;
    format: string;
  };
  holds: {
    start_at: number;
    lock_id: number;
    generation: number;
    series_id: number;
    token_id: number | null;
    owner_id: number | null;
    acquisitions: number;
    end_at: number | null;
    /** Position in `END_REASONS` (`lib/protocol/closed-sets.ts`). */
    end_reason: number | null;
    /** Position in `EVIDENCES`. */
    evidence: number;
    renewals: number;
    max_depth: number;
    ended_by_id: number | null;
    business_id: number | null;
    late_ms: number | null;
    /** A bit per position in `HOLD_NOTES`. */
    notes: number;
    /** 1 = open, or held for `LONG_HOLD_MS` or more: found through an index of their own. */
    is_long: number;
    waited_ms: number | null;
    /** Position in `WAIT_SOURCES`. */
    wait_source: number | null;
    wait_evidence: number | null;
    /** Null when there was no wait worth a row; see {@link waitRank}. */
    wait_rank: number | null;
    /** In `hold_runs`; 0 = no run, where it is long, or was written before there were runs. */
    run: number;
  };
  /** Holds that were written one after another, and between which starts they lie: see `hold-runs.ts`. */
  hold_runs: { id: number; from_at: number; to_at: number };
  /** Waits that ended without the lock, of `LEAST_WAIT_MS` or more; those that ended with it are told by `holds`. */
  left_waits: {
    end_at: number;
    lock_id: number;
    /** 0 = not seen. */
    owner_id: number;
    start_at: number;
    series_id: number;
    /** Position in `WAIT_SOURCES`. */
    source: number;
    evidence: number;
    wait_rank: number;
  };
  /** What all series of a target did in one step, in columns: `server/store/README.md`. */
  pages: {
    target_id: number;
    span_ms: number;
    /** Position in `PAGE_KINDS`. */
    kind: number;
    step: number;
    /** A page is the sum of its parts; the number says nothing but which. */
    part: number;
    bytes: Uint8Array;
  };
  /** Between which steps the pages of one span tell everything: [from_at, until_at); null = to this day. */
  tiers_built: { target_id: number; span_ms: number; from_at: number; until_at: number | null };
  gaps: { target_id: number; from_at: number; to_at: number | null; reason: string };
  alive: { target_id: number; at: number };
  alerts: { digest: Uint8Array; state: string; code: string; updated_at: number; json: string };
  deadlocks: { digest: Uint8Array; state: string; since: number; json: string };
  /** What happened in the life of an alert; `seq` orders what happened in one millisecond. */
  alert_events: { alert_digest: Uint8Array; at: number; seq: number; json: string };
  /** What operators set (rules, silences, channels, routes, intended orders): few, read whole by kind. */
  documents: {
    kind: string;
    digest: Uint8Array;
    updated_at: number;
    json: string;
    version: Generated<number>;
  };
  /** Who is told of an alert: `due_at` null = nothing is left to do. */
  notices: {
    digest: Uint8Array;
    alert_digest: Uint8Array | null;
    channel: string;
    at: number;
    due_at: number | null;
    json: string;
  };
  pins: {
    target_id: number;
    digest: Uint8Array;
    /** Null when `digest` says it all. */
    bytes: Uint8Array | null;
    created_at: number;
    json: string;
  };
  audit: {
    seq: number;
    at: number;
    actor: string;
    key_digest: Uint8Array | null;
    /** Canonical JSON of the entry without `prevHash` and `hash`: exactly what was hashed. */
    entry: string;
    prev_hash: string;
    hash: string;
  };
  meta: { name: string; value: string };
  schema_versions: { version: number; applied_at: number };
}

interface Dictionary {
  id: Generated<number>;
  /** The bytes themselves below 32, their SHA-256 (32 bytes) otherwise: indexes stay small. */
  digest: Uint8Array;
  /** Null when `digest` says it all. */
  bytes: Uint8Array | null;
  /** Last use, to the day: what nobody used for longer than history is kept can go. */
  seen: number;
}

/** Positions are stored: append only. */
export const SKETCH_KINDS = ['hold', 'fair-queue', 'token-time', 'report', 'handoff'] as const;

/** Positions are stored: append only. */
export const PAGE_KINDS = [
  'class-sums',
  'class-sketches',
  'lock-sums',
  'lock-sketches',
  'blame',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Shorter waits are in the distributions alone. */
export const LEAST_WAIT_MS = 1;

/** The longest waits are found by their order of magnitude, from the greatest down. */
export const waitRank = (waitedMs: number): number | null =>
  waitedMs < LEAST_WAIT_MS ? null : Math.floor(Math.log2(waitedMs));

/** Shorter holds are found by their start alone: one that covers a moment began less than this before it. */
export const LONG_HOLD_MS = 60_000;
