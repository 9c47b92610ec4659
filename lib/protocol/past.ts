import { z } from 'zod';
import { Evidence, PastHold } from './lock';
import { LockName, PlacedOwner } from './measures';
import { Gap } from './target';

/** Somebody who waited at a moment of the past. */
export const PastWaiter = z.object({
  owner: z.string().nullable(),
  start: z.number().int(),
  end: z.number().int().nullable(),
  outcome: z.enum(['granted', 'left']).nullable(),
  evidence: Evidence,
});
export type PastWaiter = z.infer<typeof PastWaiter>;

/** A lock as it was at a moment. */
export const PastLock = LockName.extend({
  target: z.string(),
  class: z.string(),
  namespace: z.string(),
  format: z.string(),
  /** Null = nobody is known to have held it. */
  hold: PastHold.nullable(),
  waiters: z.array(PastWaiter),
  /** How well it is known who waited: `unknown` = the library's waiters leave no trace of when. */
  waitersEvidence: Evidence,
});
export type PastLock = z.infer<typeof PastLock>;

/** The whole picture as it was at `at`. */
export const Past = z.object({
  at: z.number().int(),
  /** The gap in which the moment lies: what was then is not known. */
  gap: Gap.nullable(),
  /** Of moments before this nothing is kept; null = nothing is kept yet. */
  keptFrom: z.number().int().nullable(),
  items: z.array(PastLock),
  /** Of the owners in `items`, those who say where they run. */
  places: z.array(PlacedOwner).optional(),
  /** Locks held or waited for then, of those that match. */
  total: z.number().int(),
  /** More was held or waited for than is looked through: `total` and `items` are of the newest. */
  truncated: z.boolean(),
  offset: z.number().int(),
  cursor: z.string().nullable(),
});
export type Past = z.infer<typeof Past>;

/** One lock at a moment, and the steps around it. */
export const PastLockMoment = z.object({
  at: z.number().int(),
  gap: Gap.nullable(),
  keptFrom: z.number().int().nullable(),
  lock: PastLock.nullable(),
  /** The hold that ended before and the one that began after. */
  before: PastHold.nullable(),
  after: PastHold.nullable(),
  /** Holds around the moment, these three among them, oldest first. */
  around: z.array(PastHold),
  /** Of all these owners, those who say where they run. */
  places: z.array(PlacedOwner).optional(),
});
export type PastLockMoment = z.infer<typeof PastLockMoment>;
