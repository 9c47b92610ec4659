import type { GapObservation } from '@/server/watch/observation';
import { forgetClients } from './clients';
import { forgetPresence } from './instances';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote } from './notes';

/**
 * Marks everything that stood during the gap: until its next read it is not known to have stood on. Locks
 * that began after the gap are not touched by it.
 */
export function applyGap(state: TableState, gap: GapObservation): void {
  state.lastGap = gap;
  for (const lock of state.rotation) markGap(lock, gap);
  const { at, from, to, reason } = gap;
  state.changes.push({ kind: 'gap', at, from, to, reason });
}

function markGap(lock: Tracked, gap: GapObservation): void {
  const { hold } = lock;
  if (!hold || hold.since >= gap.to) return;
  addNote(hold, 'touches-gap');
  const earlier = lock.gap;
  lock.gap = {
    from: Math.min(earlier?.from ?? gap.from, gap.from),
    to: gap.to,
    serverRestarted: gap.serverRestarted || earlier?.serverRestarted === true,
  };
}

/** While disconnected nothing is claimed about waiters. */
export function applyConnection(state: TableState, connected: boolean, at: number): void {
  if (state.connected === connected) return;
  state.connected = connected;
  if (!connected) {
    for (const lock of state.rotation) forgetWaiters(lock);
    for (const lock of state.probed) forgetWaiters(lock);
    forgetPresence(state, at);
    forgetClients(state, at);
  }
  state.changes.push({ kind: 'connection', at, connected });
}

function forgetWaiters(lock: Tracked): void {
  lock.waitersCurrent = false;
  lock.subscribers = null;
}
