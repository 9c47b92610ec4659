import { z } from 'zod';
import {
  DISCOVERY_ENDS,
  DISCOVERY_STATES,
  CERTAINTIES,
  OLD_HOLDERS,
  WAITER_KINDS,
} from './closed-sets';
import { LockKind } from './lock';
import { Sentence } from './sentence';

/** What an operator said of the keys of one pattern: which library they are locks of. */
export const Pin = z.object({
  /** Glob over the bytes of keys, in printable form. */
  pattern: z.string(),
  /** Id of the lock format. */
  format: z.string(),
  createdAt: z.number().int(),
  actor: z.string(),
  reason: z.string(),
});
export type Pin = z.infer<typeof Pin>;

/** A supported library, and what can be seen and done of its locks. */
export const Library = z.object({
  id: z.string(),
  name: z.string(),
  kind: LockKind,
  /** Redis type of the lock's key. */
  type: z.string(),
  /** Beginnings of keys that are watched without being asked for; empty = its locks may have any name. */
  prefixes: z.array(z.string()),
  waiters: z.enum(WAITER_KINDS),
  /** A release from here wakes who waits. */
  wakes: z.boolean(),
  /** What a holder does whose lock was released under it. */
  oldHolder: z.enum(OLD_HOLDERS),
  /** Its locks are not released from here. */
  readOnly: z.boolean(),
  /** Known now, and held of these. */
  locks: z.number().int(),
  held: z.number().int(),
});
export type Library = z.infer<typeof Library>;

export const DiscoveryState = z.enum(DISCOVERY_STATES);
export type DiscoveryState = z.infer<typeof DiscoveryState>;

const DiscoveryHead = z.object({
  id: z.string(),
  state: DiscoveryState,
  startedAt: z.number().int(),
  actor: z.string(),
});

export const LibrariesPage = z.object({
  /** Newest first; `locks` = recognised by it now. */
  pins: z.array(Pin.extend({ locks: z.number().int() })),
  libraries: z.array(Library),
  /** The last runs, newest first. */
  discoveries: z.array(DiscoveryHead),
});
export type LibrariesPage = z.infer<typeof LibrariesPage>;

/** `certain`: no other library writes so. `likely`: another could. `looks-like`: so could what is no lock. */
export const Certainty = z.enum(CERTAINTIES);
export type Certainty = z.infer<typeof Certainty>;

/** Keys that look like the locks of one class. Never a value. */
export const Proposal = z.object({
  /** The class as a glob over keys, printable. */
  pattern: z.string(),
  /** False where the pattern would match nearly everything. */
  canPin: z.boolean(),
  /** Libraries that fit, the most certain first. */
  formats: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      certainty: Certainty,
      because: z.string(),
      /** `because` for the reader's own language. */
      sentences: z.array(Sentence).optional(),
      /** Of how many keys whose values were read. */
      fits: z.number().int(),
    }),
  ),
  /** Keys that were seen; nothing is extrapolated. */
  keys: z.number().int(),
  /** Of how many of them the value was read. */
  sampled: z.number().int(),
  examples: z.array(z.string()),
  /** Of `sampled`, those that expire by themselves. */
  withTtl: z.number().int(),
  /** Redis types of the values that were read. */
  types: z.array(z.string()),
  /** Names of the class whose wake-up channels somebody listens to. */
  contended: z.number().int(),
  sure: Certainty,
  /** The pattern's keys are watched now. */
  watched: z.boolean(),
});
export type Proposal = z.infer<typeof Proposal>;

/** A run that looks for locks among keys which nobody declared, within a budget. */
export const Discovery = DiscoveryHead.extend({
  /** What ended it; null while it runs. */
  ended: z.enum(DISCOVERY_ENDS).nullable(),
  /** Why it failed. */
  failedBecause: z.string().nullable(),
  dbs: z.array(z.number().int()),
  maxKeys: z.number().int(),
  seconds: z.number().int(),
  scanned: z.number().int(),
  /** Keys in these dbs when it began; null where DBSIZE is forbidden. */
  keysInDb: z.number().int().nullable(),
  /** Of `scanned`, keys that are watched already and were passed over. */
  watched: z.number().int(),
  /** Of `scanned`, those whose values were read. */
  sampled: z.number().int(),
  elapsedMs: z.number(),
  keysPerSecond: z.number(),
  /** What PING takes while it runs, the last time; null before the first. */
  pingMs: z.number().nullable(),
  /** Keys a second that it allows itself now: fewer when PING takes longer. */
  rateLimit: z.number().int(),
  /** Redisson's wake-up channels that somebody listened to; null where it may not be asked. */
  channels: z.number().int().nullable(),
  /** Patterns of keys that were seen, locks or not. */
  classes: z.number().int(),
  proposals: z.array(Proposal),
});
export type Discovery = z.infer<typeof Discovery>;
