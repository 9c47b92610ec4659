import { adoptHold } from './holds';
import type { HoldRecord } from './lock-record';
import type { OpenHold } from './table-contract';
import { addLock, findLock, type TableState } from './table-state';

function holdFromStore(stored: OpenHold): HoldRecord {
  return {
    generation: stored.generation,
    token: stored.token,
    owner: null,
    since: stored.since,
    sinceEvidence: stored.sinceEvidence,
    deadline: undefined,
    leaseMs: null,
    renewals: stored.renewals,
    lastRenewalAt: null,
    renewalIntervalMs: null,
    depth: 1,
    maxDepth: stored.maxDepth,
    fence: null,
    businessId: null,
    statedSince: null,
    isStartUnseen: true,
    finishedAt: null,
    waitedMs: null,
    notes: new Set(['touches-gap']),
    end: null,
    endReason: null,
    endEvidence: 'unknown',
    endedBy: null,
    lateReleaseMs: null,
  };
}

/**
 * Adopts holds that were open when the console stopped. Nothing is claimed of them until they are read: the
 * same token goes on with the same generation, anything else ended while nobody looked. A hold of a format
 * that is no longer known, or of a key that is already known, is left out.
 */
export function restoreHolds(state: TableState, holds: readonly OpenHold[]): void {
  for (const stored of holds) {
    const { db, key } = stored;
    const format = state.options.formats.formats.find(({ id }) => id === stored.formatId);
    if (!format || findLock(state, db, key)) continue;
    const lock = addLock(state, { db, key, at: stored.since }, format);
    lock.generation = stored.generation;
    lock.acquisitions = stored.acquisitions;
    adoptHold(state, lock, holdFromStore(stored), stored.since);
    const gap = state.lastGap;
    lock.gap = {
      from: gap?.from ?? null,
      to: gap?.to ?? stored.since,
      serverRestarted: gap?.serverRestarted ?? false,
    };
  }
}
