import type { Bytes } from '@/lib/protocol/bytes';
import type {
  BesideKeys,
  Candidate,
  Decoded,
  LockFormat,
  RawValue,
  RecognitionReason,
} from '@/lib/formats/format';
import type {
  EndReason,
  Evidence,
  HoldNote,
  LockState,
  Member,
  Owner,
  WaitHint,
} from '@/lib/protocol/lock';

/** One hold in the table. Mutable inside `server/state` only; everybody else reads. */
export interface HoldRecord {
  generation: number;
  /** Null until a read named the holder (a hold may end before that). */
  token: Bytes | null;
  owner: Owner | null;
  since: number;
  sinceEvidence: Evidence;
  /** Epoch ms at which the lease ends; null = no expiry. Undefined until the first read. */
  deadline: number | null | undefined;
  leaseMs: number | null;
  renewals: number;
  lastRenewalAt: number | null;
  renewalIntervalMs: number | null;
  depth: number;
  maxDepth: number;
  fence: string | null;
  /** What the holder does it for, printable; null where it does not say. */
  businessId: string | null;
  /** When the hold began as its value says it, by Redis's clock. */
  statedSince: number | null;
  /** `since` is told by the value alone: whatever has been renewed since then was not seen. */
  isStartUnseen: boolean;
  /** What the token claims of its time; absent where it tells none. */
  tokenTime?: { at: number; means: 'asked' | 'taken' };
  finishedAt: number | null;
  /** How long the holder had waited, where that is told. */
  waitedMs: { ms: number; source: WaitSource; evidence: Evidence } | null;
  /** Generation and token of the hold before, for takeovers. */
  notes: ReadonlySet<HoldNote>;
  end: number | null;
  endReason: EndReason | null;
  endEvidence: Evidence;
  endedBy: string | null;
  lateReleaseMs: number | null;
}

/** Where a wait was seen: a place in a queue, the time in a token, or the client's own report. */
export type WaitSource = 'fair-queue' | 'token-time' | 'report';

export interface WaiterRecord {
  /** Raw owner id as queued. */
  owner: Bytes;
  since: number | null;
  /** Epoch ms after which the queue drops it; null unknown. */
  deadline: number | null;
  alive: boolean | null;
  businessId: string | null;
  /** Who that is, where its client says so. */
  by: Owner;
  /** It may have come in a gap: `since` is when it was first seen. */
  touchesGap?: true;
}

export interface LockRecord {
  target: string;
  db: number;
  key: Bytes;
  format: LockFormat;
  formatCertain: boolean;
  /** Null until its value was read. */
  formatBecause: RecognitionReason | null;
  /** Other formats that fit as well. */
  otherFormats: readonly Candidate[];
  class: string;
  namespace: string;
  state: LockState;
  brokenBecause: string | null;
  generation: number;
  hold: HoldRecord | null;
  members: Member[];
  /** What is written of a semaphore's or latch's number; null where nothing is. */
  permits: Decoded['permits'] | null;
  /** Who waits by name, in order: a fair queue, or what the format keeps beside the lock. */
  queue: WaiterRecord[];
  /** Subscribed client instances on the wake-up channels; null = never probed. */
  subscribers: number | null;
  /** False from a disconnect until the next read or probe: what is known of waiters may be old. */
  waitersCurrent?: boolean;
  /** What points to somebody waiting, one of each source; replaced, never written to. */
  hints?: WaitHint[];
  /** Waits that clients of our own reported and that have not been reported to be over, by owner. */
  reported?: ReadonlyMap<Bytes, { since: number; businessId: string | null }> | null;
  /** Reads that were asked for to see whether a finding is still so. */
  checked?: { times: number; at: number };
  acquisitions: number;
  /** Newest first, a handful; the store keeps the rest. */
  ended: HoldRecord[];
  raw: RawValue | null;
  /** What the format keeps beside it, of the same moment as `raw`. */
  beside: BesideKeys;
  rawPttl: number | null;
  rawAt: number;
  changedAt: number;
}

/** Identity of a lock inside one target. */
export const lockId = (db: number, key: Bytes): string => `${db}:${key}`;
