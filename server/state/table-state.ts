import { dropOldest, oldestBeyond } from '@/lib/analysis/drop-oldest';
import { waitTraits, type LockFormat, type RecognitionReason } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import { LOST_REASONS, type LockState } from '@/lib/protocol/lock';
import type { CanSee } from '@/lib/protocol/target';
import type { GapObservation } from '@/server/watch/observation';
import type { Change } from './change';
import { createDueHeap } from './due-heap';
import type { Instance } from './instances';
import { createLivenessBook, type LivenessBook } from './liveness';
import { lockId } from './lock-record';
import { createPending, type Pending } from './pending';
import { createReportBook, type ReportBook } from './report-book';
import type { LockTableOptions } from './table-contract';
import { createTracked, NO_HOLDS, type Tracked } from './tracked';
import { queueLength } from './waiting';

/** Free locks are remembered for their last end and their counts; the longest free go first. */
export const MAX_FREE = 20_000;
/** Keys that may be locks, of which only events were seen. */
const MAX_NOTES = 10_000;
const MAX_ENDED = 20;
const MAX_NAMES = 10_000;
/** So many more than twice the locks may lie among those that are due. */
const MOST_STALE_DUE = 1000;

/** Everything the table holds. The transitions in this folder are its only writers. */
export interface TableState {
  options: LockTableOptions;
  byDb: Map<number, Map<Bytes, Tracked>>;
  size: number;
  /** The highest of the locks that were forgotten: one that is known again goes on behind it. */
  forgottenGeneration: number;
  /** One string for each class and namespace, instead of one for each lock. */
  names: Map<string, string>;
  /** One object for each reason by which formats are recognised, by id and prefix. */
  reasons: Map<string, RecognitionReason>;
  /** What events said about keys that are not known to be locks. */
  notes: Map<string, Pending>;
  due: ReturnType<typeof createDueHeap<Tracked>>;
  /** Keys that exist or have a queue, in the order of their next reconciling read. */
  rotation: Set<Tracked>;
  probed: Set<Tracked>;
  /** Locks of whose waiters the list of clients tells something. */
  listed: Set<Tracked>;
  /** Locks with a hint that somebody waits. */
  hinted: Set<Tracked>;
  free: Set<Tracked>;
  counts: { held: number; free: number; coolingDown: number; orphanQueues: number };
  canSee: CanSee;
  lastGap: GapObservation | null;
  connected: boolean;
  /** Locks with a key miss that may prove to be a late release. */
  missed: Set<Tracked>;
  /** What is applied now was told late: its times are upper bounds. */
  isLate: boolean;
  /** Instances of our own client by their uuid, and those that changed since the last look, with when. */
  instances: Map<string, Instance>;
  changedInstances: Map<string, number>;
  reports: ReportBook;
  liveness: LivenessBook<Tracked>;
  /** How many members the structures have in which libraries list their locks, by db and name. */
  indexes: Map<string, { db: number; key: Bytes; members: number }>;
  changes: Change[];
}

export function createTableState(options: LockTableOptions): TableState {
  return {
    options,
    byDb: new Map(),
    size: 0,
    forgottenGeneration: 0,
    names: new Map(),
    reasons: new Map(),
    notes: new Map(),
    due: createDueHeap<Tracked>(),
    rotation: new Set(),
    probed: new Set(),
    listed: new Set(),
    hinted: new Set(),
    free: new Set(),
    counts: { held: 0, free: 0, coolingDown: 0, orphanQueues: 0 },
    canSee: { acquire: null, release: null, lapse: null, eviction: null },
    lastGap: null,
    connected: true,
    missed: new Set(),
    isLate: false,
    instances: new Map(),
    changedInstances: new Map(),
    reports: createReportBook(),
    liveness: createLivenessBook(),
    indexes: new Map(),
    changes: [],
  };
}

export function findLock(state: TableState, db: number, key: Bytes): Tracked | undefined {
  return state.byDb.get(db)?.get(key);
}

/** Adds a free record; what events had said about the key becomes its pending. */
export function addLock(
  state: TableState,
  ref: { db: number; key: Bytes; at: number },
  format: LockFormat,
): Tracked {
  const { db, key, at } = ref;
  const { class: lockClass, namespace } = state.options.classify(key);
  const named = { class: shared(state, lockClass), namespace: shared(state, namespace) };
  const lock = createTracked({ target: state.options.target, db, key, ...named }, format, at);
  const locks = state.byDb.get(db) ?? new Map<Bytes, Tracked>();
  lock.hasEvents = state.options.isWatched?.(key) ?? true;
  state.byDb.set(db, locks);
  locks.set(key, lock);
  state.size++;
  state.counts.free++;
  state.free.add(lock);
  const id = lockId(db, key);
  lock.pending = state.notes.get(id) ?? null;
  state.notes.delete(id);
  return lock;
}

function shared({ names }: TableState, name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, name);
  return name;
}

/** The one object that stands for this reason. */
export function sharedReason(
  { reasons }: TableState,
  reason: RecognitionReason,
): RecognitionReason {
  const id = 'prefix' in reason ? `${reason.id}:${reason.prefix}` : reason.id;
  const known = reasons.get(id);
  if (known) return known;
  if (reasons.size >= MAX_NAMES) reasons.clear();
  reasons.set(id, reason);
  return reason;
}

export function forgetLock(state: TableState, lock: Tracked, at: number): void {
  state.byDb.get(lock.db)?.delete(lock.key);
  state.size--;
  state.forgottenGeneration = Math.max(state.forgottenGeneration, lock.generation);
  countState(state, lock.state, -1);
  state.free.delete(lock);
  state.rotation.delete(lock);
  state.probed.delete(lock);
  state.listed.delete(lock);
  state.hinted.delete(lock);
  state.missed.delete(lock);
  state.changes.push({ kind: 'lock-forgotten', at, lock });
}

/** The pending of a key that is no known lock; the oldest give way. */
export function noteFor(state: TableState, id: string): Pending {
  let note = state.notes.get(id);
  if (note) return note;
  note = createPending();
  state.notes.set(id, note);
  dropOldest(state.notes, MAX_NOTES);
  return note;
}

export const pendingOf = (lock: Tracked): Pending => (lock.pending ??= createPending());

function countState({ counts }: TableState, lockState: LockState, by: 1 | -1): void {
  if (lockState === 'held') counts.held += by;
  else if (lockState === 'free') counts.free += by;
  else if (lockState === 'cooling-down') counts.coolingDown += by;
  else if (lockState === 'orphan-queue') counts.orphanQueues += by;
}

/** The only place where a lock's state changes; keeps counts, rotation and the free list in step. */
export function setState(state: TableState, lock: Tracked, next: LockState, at: number): void {
  lock.changedAt = at;
  if (next !== 'broken') lock.brokenBecause = null;
  if (lock.state !== next) {
    countState(state, lock.state, -1);
    countState(state, next, 1);
    lock.state = next;
  }
  placeLock(state, lock);
  if (state.free.size > MAX_FREE) forgetOldestFree(state, at);
}

/** Puts the lock into the lists that its state, members and queue ask for. */
export function placeLock(state: TableState, lock: Tracked): void {
  const isGone = lock.state === 'free' && lock.members.length === 0;
  if (!isGone) state.free.delete(lock);
  else if (!state.free.has(lock)) state.free.add(lock);
  if (isGone && queueLength(lock) === 0) state.rotation.delete(lock);
  else state.rotation.add(lock);
  updateProbing(state, lock);
}

function forgetOldestFree(state: TableState, at: number): void {
  for (const lock of oldestBeyond(state.free, MAX_FREE)) forgetLock(state, lock, at);
  dropStaleDue(state);
}

/**
 * A lease of a day keeps its place among those that will be over for a day, however soon its lock was released and
 * forgotten. Drops what nobody waits for once that is more than the rest.
 */
export function dropStaleDue(state: TableState): void {
  if (state.due.size <= 2 * state.size + MOST_STALE_DUE) return;
  state.due.keep((at, lock) => lock.dueAt === at && findLock(state, lock.db, lock.key) === lock);
}

/**
 * A free lock is probed as long as clients still listen for it. What was counted before the value showed
 * that nobody listens is forgotten.
 */
export function updateProbing(state: TableState, lock: Tracked): void {
  const { waiters } = waitTraits(lock.format, lock.raw);
  const hasForeign = waiters === 'fair-queue' && lock.format.hasForeignWaiters === true;
  const hasChannels = waiters === 'pubsub' || hasForeign;
  if (!hasChannels) lock.subscribers = null;
  const isWorthIt = hasChannels && (lock.hold !== null || (lock.subscribers ?? 0) > 0);
  if (isWorthIt) state.probed.add(lock);
  else state.probed.delete(lock);
  if (isListed(lock)) state.listed.add(lock);
  else state.listed.delete(lock);
}

/** Held, or ended so that nobody was woken. */
function isListed({ format, hold, ended }: Tracked): boolean {
  if (!format.blockedIn && !format.listensByPattern) return false;
  const reason = ended[0]?.endReason ?? null;
  return hold !== null || (reason !== null && LOST_REASONS.includes(reason));
}

export function rememberEnded(lock: Tracked, hold: Tracked['ended'][number]): void {
  if (lock.ended === NO_HOLDS) lock.ended = [hold];
  else lock.ended.unshift(hold);
  if (lock.ended.length > MAX_ENDED) lock.ended.pop();
}
