import { z } from 'zod';
import { Sentence } from './sentence';
import { END_REASONS, EVIDENCES, HOLD_NOTES, LOCK_STATES, OLD_HOLDERS } from './closed-sets';

export const Evidence = z.enum(EVIDENCES);
export type Evidence = z.infer<typeof Evidence>;

export const LockState = z.enum(LOCK_STATES);
export type LockState = z.infer<typeof LockState>;

export const LockKind = z.enum([
  'mutex',
  'fair',
  'read-write',
  'semaphore',
  'latch',
  'job',
  'other',
]);
export type LockKind = z.infer<typeof LockKind>;

export const EndReason = z.enum(END_REASONS);
export type EndReason = z.infer<typeof EndReason>;

/** Ends by which a holder lost its lock instead of giving it back. */
export const LOST_REASONS: readonly EndReason[] = [
  'lease-ended',
  'overwritten',
  'evicted',
  'vanished',
  'lost-in-failover',
  'unknown',
];

/** What else is known of a past or present hold; explained in the message catalogue under `notes`. */
export const HoldNote = z.enum(HOLD_NOTES);
export type HoldNote = z.infer<typeof HoldNote>;

export const Liveness = z.enum(['seen', 'not-seen', 'unknown']);
export type Liveness = z.infer<typeof Liveness>;

/** Who holds or waits. `id` is printable and complete; the parts are `null` where the format does not tell. */
export const Owner = z.object({
  id: z.string(),
  instance: z.string().nullable(),
  thread: z.string().nullable(),
  host: z.string().nullable(),
  ip: z.string().nullable(),
  pid: z.number().int().nullable(),
  app: z.string().nullable(),
  liveness: Liveness,
});
export type Owner = z.infer<typeof Owner>;

export const Hold = z.object({
  generation: z.number().int(),
  /** Opaque; a release must repeat it. Unchanged by a renewal, changed by a new holder or depth. */
  version: z.string(),
  owner: Owner,
  since: z.number().int(),
  sinceEvidence: Evidence,
  deadline: z.number().int().nullable(),
  leaseMs: z.number().int().nullable(),
  renewals: z.number().int(),
  lastRenewalAt: z.number().int().nullable(),
  /** Learnt from the renewals seen, null with fewer than two. */
  renewalIntervalMs: z.number().int().nullable(),
  depth: z.number().int(),
  maxDepth: z.number().int(),
  businessId: z.string().nullable(),
  fence: z.string().nullable(),
  /**
   * What the token itself claims: when its client asked for the lock, or took it, by the client's clock. A hint,
   * no proof. Null where the format's tokens tell no time.
   */
  tokenTime: z
    .object({ at: z.number().int(), means: z.enum(['asked', 'taken']) })
    .nullable()
    .optional(),
  /** When the work was seen to be finished although the key stays (ShedLock's lockAtLeastFor). */
  finishedAt: z.number().int().nullable(),
  notes: z.array(HoldNote),
});
export type Hold = z.infer<typeof Hold>;

export const WaitingOwner = z.object({
  id: z.string(),
  since: z.number().int().nullable(),
  alive: z.boolean().nullable(),
  /** When its library drops it from the queue; left out = not known, null = never. */
  deadline: z.number().int().nullable().optional(),
  /** Who that is, where its client says so of itself. */
  owner: Owner.optional(),
  businessId: z.string().nullable().optional(),
});
export type WaitingOwner = z.infer<typeof WaitingOwner>;

/** What points to somebody waiting without proving it. */
export const WaitHint = z.object({
  /**
   * `blocked-clients`: clients blocked in the command its waiters use, on whatever key. `idle-time`: somebody
   * touched the key who is neither we nor its holder. `signal-list`: the list that wakes has an odd shape.
   * `refusals`: the library told of refused attempts. `ever-waited`: clients that listen since they once waited.
   */
  source: z.enum(['blocked-clients', 'idle-time', 'signal-list', 'refusals', 'ever-waited']),
  evidence: Evidence,
  /** How many at most (`blocked-clients`, `ever-waited`), or how many seen; null where it says only that. */
  count: z.number().int().nullable(),
  at: z.number().int(),
});
export type WaitHint = z.infer<typeof WaitHint>;

export const Waiting = z.object({
  evidence: Evidence,
  /** `null` = cannot be known. */
  count: z.number().int().nullable(),
  /** What `count` counts: Redisson's channel counts client instances, its fair queue counts owners. */
  unit: z.enum(['owners', 'instances']),
  /** Which evidence, as a key of the message catalogue under `waiting`. */
  source: z.enum([
    'fair-queue',
    'pubsub',
    'beside',
    'blocked-clients',
    'idle-time',
    'poll',
    'never-waits',
    'not-probed',
  ]),
  owners: z.array(WaitingOwner),
  /** Left out = none. */
  hints: z.array(WaitHint).optional(),
});
export type Waiting = z.infer<typeof Waiting>;

/** One of those who hold a lock that several may hold: a permit of a semaphore, a reader, the writer. */
export const Member = z.object({
  id: z.string(),
  role: z.enum(['reader', 'writer', 'permit']).optional(),
  /** Reentry count; left out = 1. */
  depth: z.number().int().optional(),
  refreshedAt: z.number().int().nullable(),
  deadline: z.number().int().nullable(),
  stale: z.boolean(),
  /** Who that is, where its client says so of itself. */
  owner: Owner.optional(),
});
export type Member = z.infer<typeof Member>;

export const LastEnd = z.object({
  generation: z.number().int(),
  owner: z.string().nullable(),
  at: z.number().int(),
  reason: EndReason,
  evidence: Evidence,
  notes: z.array(HoldNote),
});
export type LastEnd = z.infer<typeof LastEnd>;

export const Lock = z.object({
  target: z.string(),
  db: z.number().int(),
  key: z.string(),
  keyB64: z.string(),
  format: z.string(),
  /** True when the format follows from the key's declared prefix or an unmistakable value. */
  formatCertain: z.boolean(),
  /** Other formats that fit as well as this one; left out = none. */
  otherFormats: z.array(z.string()).optional(),
  kind: LockKind,
  class: z.string(),
  namespace: z.string(),
  state: LockState,
  hold: Hold.nullable(),
  members: z.array(Member),
  /** Read-write locks that are held: by which side. */
  mode: z.enum(['read', 'write']).optional(),
  /** Semaphores and latches whose numbers are written in Redis; null = that number is not. */
  permits: z
    .object({ total: z.number().int().nullable(), free: z.number().int().nullable() })
    .optional(),
  waiting: Waiting,
  lastEnd: LastEnd.nullable(),
  /** Holds seen on this lock since Lockscope first saw it. */
  acquisitions: z.number().int(),
  /** Codes of the open alerts about this lock. */
  alerts: z.array(z.string()),
});
export type Lock = z.infer<typeof Lock>;

export const PastHold = z.object({
  generation: z.number().int(),
  owner: z.string().nullable(),
  start: z.number().int(),
  end: z.number().int().nullable(),
  endReason: EndReason.nullable(),
  evidence: Evidence,
  renewals: z.number().int(),
  maxDepth: z.number().int(),
  /** What ended it, for people: the next holder of an overwrite, the operator of a forced release. */
  endedBy: z.string().nullable(),
  /** For `late-release`: how long after the end of the lease. */
  lateReleaseMs: z.number().int().nullable(),
  /** What the holder did it for; left out where history did not keep it. */
  businessId: z.string().nullable().optional(),
  notes: z.array(HoldNote),
});
export type PastHold = z.infer<typeof PastHold>;

/** The value as it is in Redis: `text` printable, `hex` complete up to the read limit. */
export const RawValueView = z.object({
  type: z.enum(['none', 'string', 'hash', 'zset', 'list', 'set', 'stream', 'other']),
  /** `string`: one entry; `hash`: field and value; `zset`: member and score; `list`: items. */
  entries: z.array(z.object({ name: z.string().nullable(), text: z.string(), hex: z.string() })),
  size: z.number().int(),
  truncated: z.boolean(),
  pttlMs: z.number().int().nullable(),
  readAt: z.number().int(),
});
export type RawValueView = z.infer<typeof RawValueView>;

/** Leases that ended while they were held: how often, of a week at most. */
export const Overrun = z.object({
  /** Whatever was seen since then is counted. */
  since: z.number().int(),
  count: z.number().int(),
  /** Of `count`: that it was the lease that ended the hold was concluded, and not seen. */
  inferred: z.number().int(),
  /** Of `count`: somebody looked for the key afterwards, from which a late release is concluded. */
  lateReleases: z.number().int(),
  lastAt: z.number().int(),
});
export type Overrun = z.infer<typeof Overrun>;

export const LockDetail = Lock.extend({
  holds: z.array(PastHold),
  waiters: z.array(WaitingOwner),
  raw: RawValueView.nullable(),
  /** Sentences' keys about the library: what a release does, who comes back. */
  library: z.object({
    name: z.string(),
    why: z.string(),
    releaseNotes: z.array(z.string()),
    wakes: z.boolean(),
    readOnly: z.boolean(),
    /** What the old holder does to a lock released under it; left out = its renewal fails. */
    oldHolder: z.enum(OLD_HOLDERS).optional(),
  }),
  /** All formats that fit, the one shown first; left out = the one shown is certain and alone. */
  candidates: z
    .array(z.object({ format: z.string(), name: z.string(), why: z.array(Sentence) }))
    .optional(),
  /** Of a broken lock, what is not as its library writes it, missing keys by name; left out = not known. */
  broken: z.string().optional(),
  /** What the last trace saw of the attempts to take it; left out = none saw any. */
  sampled: z
    .object({
      from: z.number().int(),
      to: z.number().int(),
      attempts: z.number().int(),
      failed: z.number().int(),
      clients: z.number().int(),
      evidence: Evidence,
    })
    .optional(),
  /**
   * Leases of this lock that ended while it was held, and how often that happened to those who hold or held it of late,
   * on whatever lock; left out = to none of them.
   */
  overruns: z
    .object({
      lock: Overrun.nullable(),
      holders: z.array(
        Overrun.extend({ kind: z.enum(['instance', 'host', 'app']), name: z.string() }),
      ),
    })
    .optional(),
  /** What else than a release can be done to it now. `because` says why not; left out = it can. */
  repairs: z
    .array(
      z.object({
        kind: z.enum(['wake', 'remove-member', 'drop-waiter']),
        because: z.array(Sentence).optional(),
      }),
    )
    .optional(),
  commands: z.array(z.object({ purpose: z.enum(['look', 'ttl', 'release']), command: z.string() })),
  canRelease: z.boolean(),
  /** Why not, as a sentence; null when it can. */
  cannotReleaseBecause: z.string().nullable(),
  /** `library.why` and `cannotReleaseBecause` for the reader's own language. */
  sentences: z
    .object({ why: z.array(Sentence), cannotReleaseBecause: z.array(Sentence) })
    .optional(),
});
export type LockDetail = z.infer<typeof LockDetail>;
