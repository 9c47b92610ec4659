import { z } from 'zod';
import { Evidence } from './lock';

const lock = z.object({ db: z.number().int(), key: z.string(), keyB64: z.string() });

/** How it is known that the owner waits. */
export const EDGE_SOURCES = ['fair-queue', 'report', 'read-write', 'semaphore', 'redlock'] as const;

/**
 * `and`: the owner waits until every one of `heldBy`s of this lock lets go (readers). `or`: any one is enough (permits of a
 * semaphore), so the wait is hopeless only if all of them are stuck: all are edges of the same deadlock.
 */
export const EDGE_NEEDS = ['and', 'or'] as const;

export const EDGE_VIAS = ['hold', 'queue'] as const;

export const DeadlockEdge = z.object({
  owner: z.string(),
  waitsFor: lock,
  heldBy: z.string(),
  /** The services that these owners belong to, where their clients say so. */
  ownerApp: z.string().optional(),
  heldByApp: z.string().optional(),
  /** When the owner began to wait, if seen. */
  waitingSince: z.number().int().nullable(),
  /** When the lock it waits for frees itself, null while renewed or without expiry. */
  deadline: z.number().int().nullable(),
  renewed: z.boolean(),
  /** Inferred: its library renews unless it is told not to; no renewal was seen yet, and none is missed. */
  likelyRenewed: z.boolean().optional(),
  /** Since when `heldBy` holds it, if seen. */
  heldSince: z.number().int().nullable().optional(),
  source: z.enum(EDGE_SOURCES).optional(),
  needs: z.enum(EDGE_NEEDS).optional(),
  /** `queue`: `heldBy` does not hold it but stands before `owner` in its queue and must have had it first. */
  via: z.enum(EDGE_VIAS).optional(),
  evidence: Evidence.optional(),
  /** When Redis was last asked whether wait and hold are still so: immediately before it was first told. */
  checkedAt: z.number().int().nullable().optional(),
});
export type DeadlockEdge = z.infer<typeof DeadlockEdge>;

/** Of a predicted deadlock: one time each that the locks were taken in that order. */
export const OrderExample = z.object({
  owner: z.string(),
  ownerApp: z.string().optional(),
  /** Held when `second` was taken. */
  first: lock,
  second: lock,
  at: z.number().int(),
});
export type OrderExample = z.infer<typeof OrderExample>;

export const Deadlock = z.object({
  id: z.string(),
  state: z.enum(['confirmed', 'predicted', 'resolved']),
  target: z.string(),
  /** In the order of waiting; of a predicted one, an edge for each direction with the locks of its example. */
  cycle: z.array(DeadlockEdge),
  since: z.number().int(),
  resolvedAt: z.number().int().nullable(),
  evidence: Evidence,
  /** When the first lease of it ends and none renews it; null = it will never resolve itself, or is unlikely to (`likelyRenewed`). */
  resolvesAt: z.number().int().nullable().optional(),
  /** The lock whose release frees most at least cost, whose holder it is taken from, and why that one. */
  victim: z
    .object({
      lock,
      owner: z.string(),
      /** Waiters that get on, directly or after others, when it is released. */
      frees: z.number().int(),
      /** How long its holder has worked so far, ms; null = unknown. */
      lostMs: z.number().nullable(),
    })
    .nullable()
    .optional(),
  /** Owners stuck behind it who are not part of it. */
  behind: z.number().int().optional(),
  /** How it ended, by the hold that ended first; of a resolved one. */
  brokenBy: z
    .object({
      lock,
      owner: z.string().nullable(),
      reason: z.string(),
      /** The operator who released it by force; null = nobody did. */
      by: z.string().nullable().optional(),
      /** When that hold or wait ended, and how it is known. */
      at: z.number().int().optional(),
      evidence: Evidence.optional(),
    })
    .nullable()
    .optional(),
  /** Of a predicted one: the classes in the order of the cycle, and an example of each direction. */
  classes: z.array(z.string()).optional(),
  examples: z.array(OrderExample).optional(),
  /** Of a predicted one: an operator says that the order is meant; it is no alert then. */
  intended: z
    .object({ actor: z.string(), reason: z.string(), at: z.number().int() })
    .nullable()
    .optional(),
});
export type Deadlock = z.infer<typeof Deadlock>;

/** Someone who waits, and for what. */
export const ChainWait = z.object({
  owner: z.string(),
  ownerApp: z.string().optional(),
  lock,
  since: z.number().int().nullable(),
  evidence: Evidence,
  /** Number of the wait of whose holder this owner is: its index in `waits`; null = waits for the root itself. */
  behind: z.number().int().nullable(),
  /** 1 = waits for the root. */
  depth: z.number().int(),
});

/** A tree of waits: a root that waits for nobody, and all who wait for it, directly or through others. */
export const WaitChain = z.object({
  /** The same while root and its locks are. */
  id: z.string(),
  root: z.string(),
  rootApp: z.string().optional(),
  /** Of the root, those that are waited for. */
  holds: z.array(
    lock.extend({
      since: z.number().int().nullable(),
      deadline: z.number().int().nullable(),
      renewed: z.boolean(),
    }),
  ),
  /** Parents before children; 500 at most. */
  waits: z.array(ChainWait),
  /** All that wait, listed or not. */
  blocked: z.number().int(),
  depth: z.number().int(),
  /** Since when the longest waiting waits. */
  since: z.number().int().nullable(),
  evidence: Evidence,
});
export type WaitChain = z.infer<typeof WaitChain>;

/** An order in which locks of two classes are taken: `first` is held when `second` is taken. */
export const LockOrder = z.object({
  first: z.string(),
  second: z.string(),
  times: z.number().int(),
  lastAt: z.number().int(),
  example: OrderExample,
});
export type LockOrder = z.infer<typeof LockOrder>;

export const Orders = z.object({
  items: z.array(LockOrder),
  /** Libraries whose owners cannot be followed from lock to lock: of them no order is learnt. */
  unfollowed: z.array(z.object({ format: z.string(), locks: z.number().int() })),
  /** Orders that were dropped to stay within bounds. */
  dropped: z.number().int(),
  /** So many classes stand in an order, more than an application means: ids are taken for names. Null = no more. */
  leakingClasses: z.number().int().nullable().optional(),
});
export type Orders = z.infer<typeof Orders>;
