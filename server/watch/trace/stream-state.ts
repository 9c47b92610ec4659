import type { Bytes } from '@/lib/protocol/bytes';
import { detached } from './detached';
import { fingerprint } from './fingerprint';
import type { Operation } from './operation';
import type { KnownLocks } from './trace-contract';

/** Whether a key is there, as far as the commands so far tell. */
interface KeyState {
  exists: boolean;
  value: number | null;
  /** When it lapses by Redis's clock; null = never, or not known. */
  until: number | null;
  /** It follows from what was there before the trace and all that was seen since. */
  isCertain: boolean;
}

export interface Verdict {
  exists: boolean;
  /** The value is the one written now. */
  isSame: boolean;
  isCertain: boolean;
}

const MOST_KEYS = 20_000;

/**
 * Follows keys through the commands of a trace. MONITOR tells no results; but all commands come, in the order
 * in which Redis ran them, so what was there at the start and what was written since tell whether a
 * `SET NX` found the key. What was there at the start is asked from `locks`.
 */
export interface StreamState {
  /** What a conditional write at `at` (Redis's clock) finds. */
  find: (key: KeyAt, value: number | null) => Verdict;
  /** The key is there from now on, with the value and the time that the operation wrote. */
  wrote: (key: KeyAt, operation: Pick<Operation, 'value' | 'until'>) => void;
  extended: (key: KeyAt, until: number | null) => void;
  gone: (key: KeyAt) => void;
  /** Another way of ending that the commands do not show: everything is asked anew. */
  forgetAll: () => void;
}

export interface KeyAt {
  db: number;
  key: Bytes;
  at: number;
}

export function createStreamState(options: {
  locks: Pick<KnownLocks, 'get'>;
  /** When MONITOR was answered, by our clock. */
  startedAt: number;
  /** Milliseconds that our clock is ahead of Redis's. */
  aheadMs: () => number;
}): StreamState {
  const { locks, startedAt, aheadMs } = options;
  const states = new Map<string, KeyState>();
  const idOf = ({ db, key }: KeyAt): string => `${db}:${key}`;

  const put = (key: KeyAt, state: KeyState): void => {
    const id = idOf(key);
    if (states.has(id)) states.set(id, state);
    else if (states.size < MOST_KEYS) states.set(detached(id), state);
  };

  /** What was there before the first command of the trace that names this key. */
  const atStart = (key: KeyAt, written: number | null): KeyState => {
    const lock = locks.get(key.db, key.key);
    if (!lock?.exists) return { exists: false, value: null, until: null, isCertain: false };
    const value = lock.value === null ? null : fingerprint(lock.value);
    const until = lock.deadline === null ? null : lock.deadline - aheadMs();
    const isOlder = lock.since !== null && lock.since < startedAt;
    if (isOlder) return { exists: true, value, until, isCertain: true };
    // The table is a little ahead of what is read here: it may be this very command that began the hold.
    const isOwn = lock.isSinceSeen && (value === null || value === written);
    return { exists: !isOwn, value: isOwn ? null : value, until, isCertain: false };
  };

  const current = (key: KeyAt, written: number | null): KeyState => {
    const state = states.get(idOf(key)) ?? atStart(key, written);
    const isLapsed = state.exists && state.until !== null && state.until < key.at;
    return isLapsed ? { ...state, exists: false, value: null, until: null } : state;
  };

  return {
    find: (key, value) => {
      const { exists, value: there, isCertain } = current(key, value);
      return { exists, isSame: exists && there !== null && there === value, isCertain };
    },
    wrote: (key, { value, until }) => {
      const before = until === undefined ? current(key, value).until : until;
      put(key, { exists: true, value, until: before, isCertain: true });
    },
    extended: (key, until) => {
      const state = current(key, null);
      if (state.exists) put(key, { ...state, until });
    },
    gone: (key) => put(key, { exists: false, value: null, until: null, isCertain: true }),
    forgetAll: () => states.clear(),
  };
}
