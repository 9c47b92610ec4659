import type {
  JobObservation,
  Observation,
  SubscribersObservation,
} from '@/server/watch/observation';
import { applyEvent } from './apply-event';
import { applyRead } from './apply-read';
import type { Change } from './change';
import { applyClients, clientQuestion } from './clients';
import { applyConnection, applyGap } from './gaps';
import { applyRefusals, dropOldHints } from './hints';
import { applyInstance, settleInstances } from './instances';
import { settleMisses } from './late-release';
import { takeDue } from './lease';
import { lockId } from './lock-record';
import { takeUnreported } from './report-book';
import { applyReport, applyReportGap } from './reports';
import { applyDone, applyIntent, applyRefusal } from './release-intent';
import { restoreHolds } from './restore';
import type { LockTable, LockTableOptions } from './table-contract';
import { createTableState, findLock, updateProbing, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { waitingCount } from './waiting';

/**
 * The model of what is held and awaited. Events are hints and reads the truth; both come in the order in
 * which Redis made them. Each kind of observation has its file beside this one.
 */
export function createLockTable(options: LockTableOptions): LockTable {
  const state = createTableState(options);
  let version = 0;

  return {
    apply: (observations) => {
      for (const observation of observations) applyOne(state, observation);
      settleInstances(state);
      const { changes } = state;
      if (changes.length > 0) version++;
      state.changes = [];
      return changes;
    },
    restore: (holds) => {
      restoreHolds(state, holds);
      version++;
    },
    get: (db, key) => findLock(state, db, key),
    all: () => allLocks(state),
    get size() {
      return state.size;
    },
    get version() {
      return version;
    },
    get counts() {
      return { ...state.counts };
    },
    takeDue: (now, limit) => takeDue(state, now, limit).map(refOf),
    nextToReconcile: (limit) => rotate(state.rotation, limit).map(refOf),
    probeable: () =>
      [...state.probed].map((lock) => ({
        ...refOf(lock),
        channels: lock.format.companions(lock.key).channels,
      })),
    clientQuestion: (now) => clientQuestion(state, now),
    get indexes() {
      return [...state.indexes.values()];
    },
    instances: () => state.instances,
    get connected() {
      return state.connected;
    },
  };
}

const refOf = ({ db, key }: Tracked) => ({ db, key });

function* allLocks(state: TableState): Iterable<Tracked> {
  for (const locks of state.byDb.values()) yield* locks.values();
}

function rotate(rotation: Set<Tracked>, limit: number): Tracked[] {
  const next: Tracked[] = [];
  for (const lock of rotation) {
    if (next.length >= limit) break;
    next.push(lock);
  }
  for (const lock of next) {
    rotation.delete(lock);
    rotation.add(lock);
  }
  return next;
}

function applyOne(state: TableState, seen: Observation): void {
  switch (seen.kind) {
    case 'event':
      return applyEvent(state, seen);
    case 'read':
      return applyRead(state, seen);
    case 'subscribers':
      return applySubscribers(state, seen);
    case 'clients':
      return applyClients(state, seen);
    case 'refusals':
      return applyRefusals(state, seen);
    case 'index':
      state.indexes.set(lockId(seen.db, seen.key), seen);
      return;
    case 'job':
      return applyJob(state, seen);
    case 'instance':
      return applyInstance(state, seen);
    case 'report':
      return applyReport(state, seen);
    case 'report-gap':
      return applyReportGap(state, seen);
    case 'gap':
      return applyGap(state, seen);
    case 'connection':
      return applyConnection(state, seen.connected, seen.at);
    case 'sight':
      state.canSee = seen.canSee;
      return;
    case 'release-intent':
      return applyIntent(state, seen);
    case 'release-refused':
      return applyRefusal(state, seen);
    case 'release-done':
      return applyDone(state, seen);
    case 'trace-sample':
      state.changes.push({ kind: 'attempts-sampled', at: seen.at, sample: seen });
      return;
    case 'tick':
      state.changes.push(...takeUnreported(state.reports, seen.at));
      dropOldHints(state, seen.at);
      return settleMisses(state, seen.at);
  }
}

function applySubscribers(state: TableState, seen: SubscribersObservation): void {
  const lock = findLock(state, seen.db, seen.key);
  if (!lock) return;
  const before = waitingCount(lock);
  lock.subscribers = seen.count;
  lock.waitersCurrent = true;
  updateProbing(state, lock);
  const after = waitingCount(lock);
  if (before === after) return;
  const change: Change = { kind: 'waiting-changed', at: seen.at, lock, before, after };
  state.changes.push(change);
}

/** A hold that began meanwhile says more. */
function applyJob(state: TableState, { at, db, key, isActive }: JobObservation): void {
  const lock = findLock(state, db, key);
  if (lock && !lock.hold) state.changes.push({ kind: 'job-looked', at, lock, isActive });
}
