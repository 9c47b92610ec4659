/** One line of JSON on a peer's stdin. Requests of one client are answered in any order, by their id. */
export interface PeerRequest {
  id: number;
  op: PeerOp;
  /** One of the names in the peer's `ready` line. */
  library: string;
  /** Who asks; see `PeerClientName`. */
  client: PeerClientName;
  /** The lock's name as its application would write it: the library makes the key. */
  name: string;
  options: PeerOptions;
}

/**
 * `a`, `b`, …: an instance of the library with connections and an identity of its own, made when it is first
 * named and kept. `a/2` is a second thread of the instance `a` where the library tells threads apart;
 * `a` alone is `a/1`.
 */
export type PeerClientName = string;

/**
 * `acquire` waits by the library's own means, `tryAcquire` asks once. `release` gives one level back. `extend`
 * is an extension that the application asks for. `state` is what the client believes now and asks nothing of
 * Redis unless the library itself would. Whatever else a library can is an op of its own name.
 */
export type PeerOp = 'acquire' | 'tryAcquire' | 'release' | 'extend' | 'state' | (string & {});

/** What a peer does not know of a library it ignores. Times in ms. */
export interface PeerOptions {
  /** Left out = the library's default; null = without an end, where the library can. */
  leaseMs?: number | null;
  /** Whether the library's own renewal is switched on, where that is a choice. Left out = no. */
  renew?: boolean;
  /** How long `acquire` waits at most. Left out = 20 000; null = without an end, where the library can. */
  waitMs?: number | null;
  /** How long a polling library pauses between two tries, where it can be told. Left out = its default. */
  retryMs?: number;
  /** Read-write locks: which side. */
  side?: 'read' | 'write';
  /** Semaphores: how many there are, and how many are asked for at once. Left out = 1. */
  limit?: number;
  permits?: number;
  /** The database its connection is on. Left out = 0. */
  db?: number;
  [more: string]: unknown;
}

export type PeerAnswer =
  | { id: number; ok: true; value: PeerValue; at: number }
  | { id: number; ok: false; error: PeerError; at: number };

/** What the client itself knows, by its own clock's `at` (epoch ms, with a fraction where there is one). */
export interface PeerValue {
  /** `tryAcquire`: whether it has it. `state`: whether it believes so; null = the library does not tell. */
  held?: boolean | null;
  /**
   * The name it has in Redis, written as it stands there, raw bytes as hex; null where the library tells
   * nobody. Semaphores with several permits: the first.
   */
  owner?: string | null;
  owners?: readonly string[];
  /** Reentry count, null where the library has none. */
  depth?: number | null;
  fence?: string | null;
  /** Whether the application was told that it lost the lock. */
  wasTold?: boolean;
  [more: string]: unknown;
}

export interface PeerError {
  /** `not-acquired`: it waited and gave up. `not-held`: the library says that the lock is not its own. */
  kind: 'not-acquired' | 'not-held' | 'other';
  /** As the library says it. */
  name: string;
  message: string;
}

/** What a library tells its application without being asked: an abort signal, a callback, a log line. */
export interface PeerEvent {
  event: 'lost';
  library: string;
  client: PeerClientName;
  name: string;
  message: string;
  at: number;
}

/** The first line on stdout. `unavailable`: libraries that cannot be had, and why. */
export interface PeerReady {
  ready: true;
  libraries: Record<string, { package: string; version: string }>;
  unavailable: Record<string, string>;
}

export type PeerLine = PeerReady | PeerAnswer | PeerEvent;
