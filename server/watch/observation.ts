import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, RawValue } from '@/lib/formats/format';
import type { CanSee, GapReason } from '@/lib/protocol/target';

/** Why a key was read. */
export type ReadCause =
  | 'event'
  | 'sweep'
  | 'deadline'
  | 'reconcile'
  | 'resync'
  | 'asked'
  /** A finding is about to be told: is it still so? */
  | 'check';

/** A keyspace event: a hint that something happened to a key. */
export interface EventObservation {
  kind: 'event';
  at: number;
  db: number;
  key: Bytes;
  /** The event's name as Redis sends it: `set`, `expire`, `del`, `new`, `expired`, `evicted`… */
  event: string;
  /** We were held up: it happened at `at` or up to that long before. */
  late?: boolean;
}

/**
 * The truth about a key. Reads travel on the connection that carries the events, so a read is ordered
 * with them: it shows the state after every event observed before it and before every later one.
 */
export interface ReadObservation {
  kind: 'read';
  at: number;
  db: number;
  key: Bytes;
  cause: ReadCause;
  /** It was asked for with the cause `check` as well, before it was sent. */
  isCheck?: true;
  /** Null = the key does not exist. */
  value: RawValue | null;
  /** Remaining time to live at `at`; null = no expiry (or no key). */
  pttl: number | null;
  /**
   * The fair queue as read in the same step; null where no format of this key has one. `alive` = the
   * owner's channel had a subscriber at the last probe (once a second), null before the first; when it
   * changes, a fresh read with cause `reconcile` follows. `wish` = what a waiter of our own client wrote down
   * when it joined.
   */
  queue: { owner: Bytes; deadline: number | null; alive: boolean | null; wish?: Bytes }[] | null;
  /** The fencing counter read in the same step, where the format keeps one. */
  fence: string | null;
  /** What the format keeps beside the lock, as far as it was asked for; left out = nothing. */
  beside?: BesideKeys;
  /** The value named keys beside the lock that were not asked for yet: a read with them follows at once. */
  isPart?: true;
  /**
   * How long nobody had touched the key before this read (whole seconds, ms). What touches it: our own reads, and
   * every command that looks at the value, a failed `SET NX` as well. Left out where it was not asked.
   */
  idleMs?: number;
  /** Wake-up channels named after the key that somebody was last seen to listen to; left out = none. */
  listened?: readonly Bytes[];
  /** What turns a time of Redis's clock into one of ours (ms to add); left out where it is not known. */
  clockMs?: number;
}

export const REPORT_EVENTS = [
  'waiting',
  'granted',
  'released',
  'timed-out',
  'cancelled',
  'lost',
  'refused',
] as const;

/**
 * What a client of our own reported of one lock (`lib/lock/README.md`, "Reports"). It comes some time after
 * the events of what it tells, and in no order with them.
 */
export interface ReportObservation {
  kind: 'report';
  /** When it was written, by our clock. */
  at: number;
  db: number;
  key: Bytes;
  owner: Bytes;
  event: (typeof REPORT_EVENTS)[number];
  holder: Bytes | null;
  waitedMs: number | null;
  heldMs: number | null;
  fence: string | null;
  /** Printable. */
  businessId: string | null;
  /** `refused`: how many attempts. */
  count: number | null;
  /** Written before this console watched: tells what is open, and is counted no more. */
  isOld: boolean;
}

/** Reports of this span may have been trimmed away unread. */
export interface ReportGapObservation {
  kind: 'report-gap';
  at: number;
  db: number;
  from: number;
  to: number;
}

/** What an instance of our client says of itself; texts are printable. */
export interface InstanceFacts {
  host: string | null;
  ip: string | null;
  pid: number | null;
  app: string | null;
  /** Of a Redlock: its servers, `host:port/db`, and those that do not vote now. Left out = one server. */
  group?: { nodes: readonly string[]; silent: readonly string[] };
}

/** An instance's presence key was read, or has gone: `facts` null. */
export interface InstanceObservation {
  kind: 'instance';
  at: number;
  /** Where its presence was read; left out = nobody asked for that. */
  db?: number;
  instance: string;
  facts: InstanceFacts | null;
}

/** Subscribers of a lock's wake-up channels: waiting client instances. */
export interface SubscribersObservation {
  kind: 'subscribers';
  at: number;
  db: number;
  key: Bytes;
  count: number;
}

/** Who is connected to this server, and what they do. Whoever may not be listed is not there. */
export interface ClientsObservation {
  kind: 'clients';
  at: number;
  /** Clients blocked in each command, by its name in lower case, and for how long the longest has been. */
  blocked: ReadonlyMap<string, { count: number; longestMs: number }>;
  /** Clients that listen to a pattern of channels, without consoles. */
  patternListeners: number;
  /** What they call themselves, each once. */
  names: readonly Bytes[];
  /** Their addresses without ports. */
  addresses: ReadonlySet<string>;
}

/** Attempts that a library says it refused in the last minute because others hold the lock. */
export interface RefusalsObservation {
  kind: 'refusals';
  at: number;
  db: number;
  key: Bytes;
  count: number;
}

/** A structure in which a library lists its locks, and how many it lists. */
export interface IndexObservation {
  kind: 'index';
  at: number;
  db: number;
  key: Bytes;
  members: number;
}

/** A job's lock was not there when it was looked for in the list of those that run. */
export interface JobObservation {
  kind: 'job';
  at: number;
  db: number;
  /** Of its lock. */
  key: Bytes;
  /** Null = that may not be asked, or the list is too long to look all through. */
  isActive: boolean | null;
}

/** Events may have been missed between `from` and `to`. Sent when the gap *ends*; reads follow. */
export interface GapObservation {
  kind: 'gap';
  at: number;
  from: number;
  to: number;
  reason: GapReason;
  /** Every lock must be re-read before its state is believed again. */
  serverRestarted: boolean;
}

/** The connection was lost or came back; while down nothing is claimed to be current. */
export interface ConnectionObservation {
  kind: 'connection';
  at: number;
  connected: boolean;
}

/** What can be seen changed (flags, permissions, canary). */
export interface SightObservation {
  kind: 'sight';
  at: number;
  canSee: CanSee;
}

/** An operator is about to delete this hold; the following `del` is theirs, not the holder's. */
export interface ReleaseIntentObservation {
  kind: 'release-intent';
  at: number;
  db: number;
  key: Bytes;
  generation: number;
  actor: string;
}

/** The release did not happen; if the hold ended meanwhile, it ended by itself. */
export interface ReleaseRefusedObservation {
  kind: 'release-refused';
  at: number;
  db: number;
  key: Bytes;
  generation: number;
}

/** Redis confirmed that the release deleted this hold, whatever events or reads say of its end. */
export interface ReleaseDoneObservation {
  kind: 'release-done';
  at: number;
  db: number;
  key: Bytes;
  generation: number;
  actor: string;
}

/** Time passed: findings that wait for silence (a late release that no acquire followed) settle here. */
export interface TickObservation {
  kind: 'tick';
  at: number;
}

/** What a trace that runs, or has just ended, counted so far of those that ask too often. */
export interface TraceSampleObservation {
  kind: 'trace-sample';
  at: number;
  /** The trace's id. */
  trace: string;
  from: number;
  to: number;
  /** Locks with many failed attempts; `perSecond` = failed ones in the worst second. */
  storms: {
    db: number;
    key: Bytes;
    attempts: number;
    failed: number;
    perSecond: number;
    clients: number;
  }[];
  hotClients: {
    addr: string;
    name: string | null;
    attempts: number;
    failed: number;
    perSecond: number;
    keys: number;
  }[];
}

export type Observation =
  | EventObservation
  | ReadObservation
  | SubscribersObservation
  | ClientsObservation
  | RefusalsObservation
  | IndexObservation
  | JobObservation
  | ReportObservation
  | ReportGapObservation
  | InstanceObservation
  | GapObservation
  | ConnectionObservation
  | SightObservation
  | ReleaseIntentObservation
  | ReleaseRefusedObservation
  | ReleaseDoneObservation
  | TickObservation
  | TraceSampleObservation;
