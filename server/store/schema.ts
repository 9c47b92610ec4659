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
  /** What a rollup is about: (target, class, namespace, format). */
  series: Dictionary & {
    target_id: number;
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
  };
  rollups: Record<EndColumn, number> & {
    /** Length of the step: `ROLLUP_STEP_MS`, or a minute once merged. */
    span_ms: number;
    step: number;
    series_id: number;
    acquisitions: number;
    held_ms: number;
    waiter_ms: number | null;
    handoff_ms: number;
    handoffs: number;
  };
  /** Apart from the sums, so that a heatmap over days reads 40 bytes a row and not 2,000. */
  sketches: {
    span_ms: number;
    step: number;
    series_id: number;
    /** Position in `SKETCH_KINDS`. */
    kind: number;
    bytes: Uint8Array;
  };
  gaps: { target_id: number; from_at: number; to_at: number | null; reason: string };
  alive: { target_id: number; at: number };
  alerts: { digest: Uint8Array; state: string; code: string; updated_at: number; json: string };
  deadlocks: { digest: Uint8Array; state: string; since: number; json: string };
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

/** Columns of `rollups`, one per end reason and in their order. */
export const END_COLUMNS = [
  'end_released',
  'end_lease_ended',
  'end_overwritten',
  'end_evicted',
  'end_vanished',
  'end_moved',
  'end_lost_in_failover',
  'end_force_released',
  'end_unknown',
] as const;
export type EndColumn = (typeof END_COLUMNS)[number];

/** Positions are stored: append only. */
export const SKETCH_KINDS = ['hold', 'fair-queue', 'token-time', 'report'] as const;

/** Shorter holds are found by their start alone: one that covers a moment began less than this before it. */
export const LONG_HOLD_MS = 60_000;
