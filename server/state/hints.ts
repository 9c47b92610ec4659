import { waitTraits, type RawValue } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Waiting, WaitHint } from '@/lib/protocol/lock';
import type { ReadObservation, RefusalsObservation } from '@/server/watch/observation';
import type { LockRecord } from './lock-record';
import { findLock, type TableState } from './table-state';
import type { Tracked } from './tracked';

/** For how long a hint says something of now. */
const KEPT_MS: Record<WaitHint['source'], number> = {
  'idle-time': 15_000,
  'blocked-clients': 15_000,
  refusals: 60_000,
  'ever-waited': 60_000,
  // An event of the list has its lock read again.
  'signal-list': Number.POSITIVE_INFINITY,
};
/** Redis keeps idle times in seconds of a clock of its own; and the way of an answer to us. */
const IDLE_SLACK_MS = 1_100;

/** Takes the place of the hint of the same source; null = there is none any more. */
export function setHint(
  state: TableState,
  lock: Tracked,
  { source, at, hint }: { source: WaitHint['source']; at: number; hint: WaitHint | null },
): void {
  const before = lock.hints?.find((each) => each.source === source);
  if (!before && !hint) return;
  // Told of very many locks at once, again and again.
  if (hint && before?.count === hint.count && hint.at - before.at < KEPT_MS[source] / 2) return;
  const others = lock.hints?.filter((each) => each.source !== source) ?? [];
  lock.hints = hint ? [...others, hint] : others;
  if (lock.hints.length > 0) state.hinted.add(lock);
  else state.hinted.delete(lock);
  if (before?.count === hint?.count && (before === undefined) === (hint === null)) return;
  state.changes.push({ kind: 'lock-changed', at, lock });
}

/** Hints that say nothing of `now` any more go. */
export function dropOldHints(state: TableState, now: number): void {
  for (const lock of state.hinted) {
    for (const { source, at } of lock.hints ?? []) {
      if (now - at > KEPT_MS[source]) setHint(state, lock, { source, at: now, hint: null });
    }
  }
}

/**
 * A polling client touches the key it does not get. Who else does is known: we ourselves by our last read, the
 * holder by an event (every renewal and release makes one). What was touched later than both was touched by
 * somebody who wants it; where events are not seen nothing follows.
 */
export function noteIdleTime(state: TableState, lock: Tracked, read: ReadObservation): void {
  const { idleMs, at, value } = read;
  if (idleMs === undefined || value === null || !lock.hold || lock.rawAt === 0 || lock.gap) return;
  if (waitTraits(lock.format, value).waiters !== 'poll') return;
  const { acquire, release } = state.canSee;
  if (!lock.hasEvents || acquire !== true || release !== true) return;
  const explainedAt = Math.max(lock.rawAt, lock.lastEventAt ?? 0);
  if (at - idleMs <= explainedAt + IDLE_SLACK_MS) return;
  const hint = { source: 'idle-time', evidence: 'inferred', count: null, at } as const;
  setHint(state, lock, { source: 'idle-time', at, hint });
}

/** A wake-up list that grows or never goes away, and what is wrong with it. */
export interface SignalLeak {
  name: Bytes;
  size: number;
  hasExpiry: boolean;
}

/**
 * The list by which a lock's waiters are woken holds one signal at most, and that for a second
 * (`redis_lock/__init__.py`). Left over, it wakes waiters again and again for a lock that is held.
 */
export function leakingSignal({ format, beside }: LockRecord): SignalLeak | null {
  if (format.blockedIn !== 'blpop') return null;
  for (const [name, { value, pttl }] of beside) {
    if (isList(value) && (value.size > 1 || pttl === null)) {
      return { name, size: value.size, hasExpiry: pttl !== null };
    }
  }
  return null;
}

const isList = (value: RawValue | null): value is RawValue & { type: 'list' } =>
  value?.type === 'list';

/** To be called with each read, when `beside` is what it showed. */
export function noteSignal(state: TableState, lock: Tracked, at: number): void {
  if (lock.format.blockedIn !== 'blpop') return;
  const leak = leakingSignal(lock);
  const hint: WaitHint | null = leak && {
    source: 'signal-list',
    evidence: 'inferred',
    count: leak.size,
    at,
  };
  setHint(state, lock, { source: 'signal-list', at, hint });
}

/** The library says that it refused attempts on this lock. */
export function applyRefusals(state: TableState, seen: RefusalsObservation): void {
  const lock = findLock(state, seen.db, seen.key);
  if (!lock) return;
  const { at, count } = seen;
  const hint = { source: 'refusals', evidence: 'observed', count, at } as const;
  setHint(state, lock, { source: 'refusals', at, hint });
}

/** Who touched the key before the present hold began may well be the one who holds it now. */
function isCurrent({ source, at }: WaitHint, { hold }: LockRecord, now: number): boolean {
  if (now - at > KEPT_MS[source]) return false;
  return source !== 'idle-time' || (hold !== null && at >= hold.since);
}

/** What is known of waiters, with what merely points to some. Where nobody is counted, a hint tells more than nothing. */
export function withHints(waiting: Waiting, lock: LockRecord, now: number): Waiting {
  const current = lock.hints?.filter((hint) => isCurrent(hint, lock, now)) ?? [];
  if (current.length === 0 || lock.waitersCurrent === false) return waiting;
  const isOpen = waiting.evidence === 'unknown' || isBesideChannel(waiting, current);
  const inferred = isOpen ? inferredFrom(current) : null;
  // "At most none" is said as a count and is no hint.
  const hints = current.filter(({ count }) => count !== 0);
  return { ...waiting, ...inferred, ...(hints.length > 0 && { hints }) };
}

/** Nobody listens on the channel, and waiters that do not listen there may be blocked. */
const isBesideChannel = ({ source, count }: Waiting, hints: readonly WaitHint[]): boolean =>
  source === 'pubsub' &&
  count === 0 &&
  hints.some((hint) => hint.source === 'blocked-clients' && hint.count !== 0);

function inferredFrom(hints: readonly WaitHint[]): Partial<Waiting> | null {
  const blocked = hints.find(({ source }) => source === 'blocked-clients');
  if (blocked) {
    const count = blocked.count === 0 ? 0 : null;
    return { evidence: 'inferred', source: 'blocked-clients', count, unit: 'owners' };
  }
  if (!hints.some(({ source }) => source === 'idle-time')) return null;
  return { evidence: 'inferred', source: 'idle-time', count: null, unit: 'owners' };
}
