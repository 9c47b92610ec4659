import type { Redis } from 'ioredis';
import type { LockKind, Member, Waiting } from '@/lib/protocol/lock';
import type { PeerOptions } from '@/test/interop/protocol';

/** What one library does, as far as the story of `suite.ts` has to know. Times in ms. */
export interface LibrarySpec {
  /** Its name in the peer. */
  library: string;
  /** Its name in the summary. */
  title: string;
  /**
   * The id of its format. `certain`: the console names it alone. Otherwise it must be named among the
   * formats that fit, and first if it is `first`.
   */
  format: { id: string; certain: boolean; first?: boolean };
  kind: LockKind;
  /** The lock's name as the application writes it. Left out = `it:<library>:<n>`, which the console watches. */
  nameOf?: (n: string) => string;
  /** The key that the library makes of that name. Left out = the name. */
  keyOf?: (name: string) => string;
  /** The database that the lock is in; `options.db` is the one its connection is on. Left out = 0. */
  db?: number;
  /** For every request. */
  options?: PeerOptions;
  /** The lease of its holds: asked for, or its default; null = it sets none. */
  leaseMs: number | null;
  /** What the console calls its holder when the client does not know it itself. Left out = as the client says. */
  ownerOf?: (client: string, known: string | null) => string | RegExp;
  /** Whether the same client may enter again. */
  isReentrant?: boolean;
  /** It renews by itself under `renew`: with a lease of `leaseMs`, the first renewal comes within `withinMs`. */
  renews?: { options: PeerOptions; leaseMs: number; withinMs: number };
  /** The application can extend it (op `extend`). */
  extends?: boolean;
  /**
   * Two may hold it at once under `options`, each named, and one can be taken out. `isFull`: two is the most, so
   * that a third waits for that place.
   */
  shared?: { options: PeerOptions; isFull: boolean; role?: Member['role'] };
  /** How its waiters wait, and what the console can say of one that waits. Left out = it never waits. */
  waits?: {
    /** The most that may pass until a waiter sees by itself that the lock is free. */
    pollMs: number;
    options?: PeerOptions;
    /** What `waiting.source` may say then. */
    sources: readonly Waiting['source'][];
    /** Each try touches the key, so that the key's idle time gives waiters away: the console must say so. */
    touches?: boolean;
    /** What the console counts when one client waits; null = it must not pretend to know. */
    count: number | null;
    /** Waiters are named by what the client itself knows. */
    areNamed?: boolean;
  };
  /** It wakes waiters at a release: the console's release must do the same. Left out = it does not. */
  wakes?: {
    /** How long its waiter would sleep if nobody woke it. */
    otherwiseMs: number;
    /** What the release answers as `wokeWaiters` with one waiter; null = cannot be known. */
    wokeWaiters: number | null;
    /** Whether its client waits already, seen from Redis; the release comes after that. */
    isWaiting: (client: Redis, key: string) => Promise<boolean>;
    options?: PeerOptions;
  };
  /** A lock without renewal lapses after its lease; with which lease that is tried. Left out = 1 000; null = never. */
  lapseMs?: number | null;
  release?: {
    /** Its locks are read-only: a release is refused. */
    isRefused?: boolean;
    /** What the old holder's own release does afterwards. */
    oldHolder: 'error' | 'says-false' | 'silent' | 'deletes-anyway';
    /** It makes the lock anew (`cameBack`). */
    comesBack?: boolean;
    /** With `renews`: it tells its application that the lock is lost. */
    tells?: boolean;
  };
  /** Events on the key by which the console's release is seen. Left out = `del`. */
  releaseEvents?: readonly string[];
  /** For the summary. */
  notes?: readonly string[];
}
