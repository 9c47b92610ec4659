import type { Bytes } from '@/lib/protocol/bytes';
import type { OLD_HOLDERS } from '@/lib/protocol/closed-sets';
import type { LockKind, Owner } from '@/lib/protocol/lock';

/** A key's value as one read returned it. Sizes are the whole; the content may be cut (`truncated`; then `tail` is the end of a string). */
export type RawValue =
  | { type: 'string'; bytes: Bytes; size: number; truncated: boolean; tail?: Bytes }
  | { type: 'hash'; fields: [Bytes, Bytes][]; size: number; truncated: boolean }
  | { type: 'zset'; members: [Bytes, number][]; size: number; truncated: boolean }
  | { type: 'list'; items: Bytes[]; size: number; truncated: boolean }
  | { type: 'set'; members: Bytes[]; size: number; truncated: boolean }
  | { type: 'stream' | 'other'; size: number; truncated: true };

/** Keys of a lock that were read in the same step as the lock's own, by name; empty where there are none. */
export type BesideKeys = ReadonlyMap<Bytes, { value: RawValue | null; pttl: number | null }>;

export const NOTHING_BESIDE: BesideKeys = new Map();

/** Who a value says holds the lock. `token` is what makes two reads the same hold. */
export interface Holder {
  token: Bytes;
  owner: Omit<Owner, 'liveness'>;
  /** Reentry count; 1 where the format has none. */
  depth: number;
  /** When the token itself says the lock was asked for or taken (epoch ms of the client's clock). */
  tokenTime: { at: number; means: 'asked' | 'taken' } | null;
  /** Semaphores: this member's own deadline, null if it has none. */
  deadline: number | null;
  /** Semaphores: past its window, so it no longer counts. */
  stale: boolean;
  /** What it holds of a lock that several may hold; left out = the whole lock. */
  role?: 'reader' | 'writer' | 'permit';
  /** When the value says that the hold began: epoch ms of Redis's own clock. */
  since?: number;
  /** The business serial number that the holder wrote beside its name, printable. */
  businessId?: string;
}

export interface Decoded {
  /** One for a mutex, any number for a semaphore. Empty = the key is there and nobody holds it. */
  holders: Holder[];
  /** The structure contradicts the format (missing companions, another type): why, for a person. */
  broken: string | null;
  fence: string | null;
  /** Semaphores and latches: what is written of their number; null where it is not. */
  permits?: { total: number | null; free: number | null };
  /** Who the value or the keys beside it say waits, first in line first. */
  waiters?: Holder[];
}

export interface Recognition {
  /** `certain`: prefix or shape that no other format shares. `likely`: fits, another could too. */
  certainty: 'certain' | 'likely';
  because: RecognitionReason;
}

/** By what a format was recognised; the message catalogue has the words for people. */
export type RecognitionReason =
  | {
      id: 'prefix' | 'prefix-uuid' | 'prefix-shape' | 'zset-prefix' | 'suffix' | 'infix';
      prefix: Bytes;
    }
  | {
      id:
        | 'pinned'
        | 'channel'
        | 'counter'
        | 'mode-field'
        | 'timeout-zset'
        | 'multi-lock-fields'
        | 'set-of-holders'
        | 'uuid'
        | 'uuid-4'
        | 'base64-16-bytes'
        | 'base64-18-bytes'
        | 'base64-32-bytes'
        | 'base64-uuid-1'
        | 'base64url-22'
        | 'alphanumeric-16'
        | 'alphanumeric-20'
        | 'base36-11'
        | 'hex-80'
        | 'bytes-20'
        | 'message-pack'
        | 'php-serialised'
        | 'machine-pid'
        | 'redis-epoch'
        | 'epoch-second'
        | 'execute-uuid'
        | 'signal-list'
        | 'huey-key'
        | 'hash-uuid-thread'
        | 'hash-uuid-thread-queue'
        | 'queue-alone'
        | 'hash-uuid-uuid'
        | 'lock-end-uuid'
        | 'lock-end-uuid-number'
        | 'bull-key'
        | 'declared'
        | 'zset-uuids'
        | 'uuid-1'
        | 'hex-32'
        | 'added-time-host'
        | 'own-client';
    };

export interface RecogniseContext {
  /** True when an operator's own pattern says that this key is a lock. */
  declared: boolean;
  now: number;
  /** Remaining time to live (ms), null = none; left out when it is not known. */
  pttl?: number | null;
  /** True when somebody stands in the lock's fair queue. */
  queued?: boolean;
  beside?: BesideKeys;
  /** How its holders were seen to renew it. */
  renewedBy?: 'set' | 'expire';
  /** The format as which the key's lock was last recognised. */
  knownAs?: string;
  /** Wake-up channels named after this key that somebody listens to, whole names. */
  listened?: readonly Bytes[];
}

/** Companion keys of a lock, all built from its key. */
export interface Companions {
  /** Redisson's fair queue (list) and the zset of its members' deadlines (epoch ms). */
  queue: {
    list: Bytes;
    timeouts: Bytes;
    /** A hash in which waiters of our own client say since when they wait, and for what. */
    wishes: Bytes;
    waiterChannel: (owner: Bytes) => Bytes;
  } | null;
  /** Pub/sub channels whose subscribers are waiting clients. */
  channels: Bytes[];
  /** Key of the lock's fencing counter, read together with it; absent or null where there is none. */
  fence?: Bytes | null;
}

/**
 * The release of one format: a Lua script that compares with what the operator saw, deletes and wakes.
 * KEYS and ARGV are made by `arguments`. The script returns
 * `{1, woken}` when released (`woken` = receivers of the wake-up, -1 where nothing listens),
 * `{0}` when the lock is gone, `{-1}` when it is held otherwise than seen.
 */
export interface ReleaseScript {
  lua: string;
  arguments: (
    key: Bytes,
    seen: RawValue,
    now: number,
    beside?: BesideKeys,
  ) => { keys: Bytes[]; args: (Bytes | number)[] };
  /** Sends the wake-up a second time for libraries that can miss the first: channel and message. */
  repeatWake: ((key: Bytes) => { channel: Bytes; message: Bytes }[]) | null;
}

/** The same for a lock whose own key is gone while the keys beside it say who holds it (`heldBeside`). */
export interface BesideReleaseScript extends Pick<ReleaseScript, 'lua'> {
  arguments: (key: Bytes, beside: BesideKeys) => { keys: Bytes[]; args: (Bytes | number)[] };
}

/**
 * Wakes those who wait for a free lock the way its library expects, where nobody did. Checks inside Redis
 * that the lock is free. Returns `{1, woken}` (`woken` = receivers, -1 where that cannot be counted), `{0}` when
 * there is nobody to wake, `{-1}` when the lock is held.
 */
export interface WakeScript {
  lua: string;
  arguments: (key: Bytes, now: number) => { keys: Bytes[]; args: (Bytes | number)[] };
}

/**
 * Takes one holder out of a lock that several hold (a dead reader, a permit) and leaves the others. Compares
 * with what was seen of that member. Returns `{1, woken}`, `{0}` when it is gone, `{-1}` when it holds
 * otherwise than seen.
 */
export interface RemovalScript {
  lua: string;
  arguments: (
    key: Bytes,
    member: Bytes,
    seen: { value: RawValue; beside: BesideKeys; now: number },
  ) => { keys: Bytes[]; args: (Bytes | number)[] };
}

/** What a lock's waiters are like, and what is told before its release. */
export interface WaitTraits {
  /**
   * How waiters can be seen: by name and in order in a queue; as subscribers of a channel; in the value or
   * beside it (`Decoded.waiters`); only as clients blocked somewhere on this server; not at all; there are none.
   */
  waiters: 'fair-queue' | 'pubsub' | 'beside' | 'blocked' | 'poll' | 'never-waits';
  /** Keys of the message catalogue (`formats.<id>.…`) told before a release. */
  releaseNotes: string[];
}

export interface ActiveJob {
  list: Bytes;
  id: Bytes;
}

export interface LockFormat extends WaitTraits {
  id: string;
  /** The library's name as its users write it. */
  name: string;
  kind: LockKind;
  /** Redis type of the lock key. */
  type: 'string' | 'hash' | 'zset' | 'set';
  /** Key prefixes watched by default; empty for formats whose locks may have any name. */
  prefixes: Bytes[];
  /** Fits the name alone (prefix and suffix); formats with free names always answer true. */
  matchesKey: (key: Bytes) => boolean;
  /**
   * True when one of `prefixes` together with `matchesKey` settles it before any value is read, so that a
   * short hold is not lost.
   */
  nameIsProof: boolean;
  /** Null = not this format. `value` null = the key is not there (an orphan queue). */
  recognise: (key: Bytes, value: RawValue | null, context: RecogniseContext) => Recognition | null;
  decode: (
    key: Bytes,
    value: RawValue,
    context: {
      now: number;
      leaseMs: number | null;
      /** What turns a time of Redis's clock into one of ours (ms to add); left out = 0. */
      clockMs?: number;
      beside?: BesideKeys;
    },
  ) => Decoded;
  /** Who holds it by the keys beside it while its own key is gone. Left out = nobody ever does. */
  heldBeside?: (key: Bytes, beside: BesideKeys) => Decoded;
  /**
   * Keys to read in the same step as this one, at most 64: those its name gives (`value` null) and those that
   * a value names as well. Quick, and empty for keys that are not of this format.
   */
  beside?: (key: Bytes, value: RawValue | null) => Bytes[];
  companions: (key: Bytes) => Companions;
  /** With a queue: clients of other libraries may wait on its channels and stand in no queue. */
  hasForeignWaiters?: boolean;
  /** A release hands the lock on for a moment; the first extension by the next holder makes it a lease. */
  handsOver?: boolean;
  /** The keys its library keeps beside its locks; left out where it keeps none. */
  sideKeys?: SideKeys;
  /** Whether the library always sets a time to live, sometimes, or by default does not. */
  expiry: 'always' | 'by-caller' | 'none-by-default';
  /** Which command renews, which tells a renewal from an acquire. `none`: the library never renews. */
  renewal: 'expire' | 'set' | 'zadd' | 'none';
  /**
   * Its library renews a hold at each third of its lease unless it is told not to: whatever its lease, or such of
   * `leaseMs`, which it gives where nobody names a lease. Left out where only the caller knows.
   */
  watchdog?: 'any-lease' | { leaseMs: number };
  /** Where a value of another type is a lock as well: what is different then. */
  byType?: Partial<Record<RawValue['type'], WaitTraits>>;
  /** Sorted sets: what a member's score is. Left out = the time of its last refresh. */
  scores?: 'refreshes' | 'deadlines';
  /** The value is a number that is counted up and down in place; it names nobody. */
  counts?: boolean;
  /** Several hold it, each until a deadline of its own that `decode` tells. Sorted sets always do. */
  ownLeases?: boolean;
  /** Who waits is blocked in this command, on a key that nobody is told (`waiters: 'blocked'`). */
  blockedIn?: 'blpop' | 'brpoplpush' | 'blmove' | 'xread';
  /** Who has once waited listens to a pattern of channels for the rest of its life, which counts nobody. */
  listensByPattern?: true;
  /**
   * What the old holder does to a lock that was released under it: its next renewal finds nothing and fails;
   * it makes the key anew; it takes or deletes the lock of whoever came next. Left out = it fails.
   */
  oldHolder?: (typeof OLD_HOLDERS)[number];
  /** Value unchanged while the time to live gets shorter = work done, kept on purpose. */
  shorterLeaseMeansFinished: boolean;
  release: ReleaseScript | null;
  /** Left out where nobody holds it while its own key is gone. */
  releaseBeside?: BesideReleaseScript;
  /** Left out where nobody can be woken: waiting clients poll, or nobody waits. */
  wake?: WakeScript;
  /** Left out where one holder of several cannot be taken out, or where there is only ever one. */
  removeMember?: RemovalScript;
  /** The list in which the job of this lock stands while a worker has it, and its id there. Left out = it has none. */
  activeJob?: (key: Bytes) => ActiveJob | null;
  /** Release is refused: the library's own tools do it better. */
  readOnly: boolean;
}

/** The traits of a lock whose value was last read as `value`; null = no value is known. */
export const waitTraits = (format: LockFormat, value: RawValue | null): WaitTraits =>
  (value && format.byType?.[value.type]) ?? format;

/** A key that belongs to a lock and is not one itself. `parent` null = noise to ignore. */
export interface SideKey {
  parent: Bytes | null;
  /** It is to be read with its lock from now on, which neither the lock's name nor its value asks for. */
  isBeside?: boolean;
}

export interface SideKeys {
  /** Prefixes of those whose events say something about a lock. */
  prefixes: readonly Bytes[];
  /** How all those begin that it knows; left out = they may begin in any way. */
  head?: Bytes;
  /** Null when the key may be a lock. Asked for every event on any key that begins so: quick. */
  read: (key: Bytes) => SideKey | null;
}

export const NOISE: SideKey = { parent: null };

/** The table of formats, and what follows from it. Implemented in `index.ts`. */
export interface FormatTable {
  formats: readonly LockFormat[];
  byId: (id: string) => LockFormat;
  /** Prefixes of all lock and side keys to subscribe to, without the operator's own patterns. */
  watchedPrefixes: readonly Bytes[];
  /** Null when the key is not a side key of any format. */
  sideKey: (key: Bytes) => SideKey | null;
  /** A format settled by the name alone, or null. */
  byName: (key: Bytes, declared: boolean) => LockFormat | null;
  /** The format that an operator has pinned this key to, or null. It goes before all others. */
  pinned: (key: Bytes) => LockFormat | null;
  /** Keys to read in the same step as this one, of all formats that it may be of. */
  beside: (key: Bytes, value: RawValue | null) => Bytes[];
  /**
   * The format of a key by its value; the most certain wins, ties by order in the table. `others` are the
   * formats that fit as well, each with its reason; none beside one that is certain.
   */
  recognise: (
    key: Bytes,
    value: RawValue | null,
    context: RecogniseContext,
  ) => { format: LockFormat; recognition: Recognition; others: Candidate[] } | null;
}

/** A format that a key may be of. */
export interface Candidate {
  format: LockFormat;
  recognition: Recognition;
}
