import type { LockDetail } from '@/lib/protocol/lock';

/** Told of the libraries in whose queues a dead head stands in everybody's way. */
const BLOCKING_NOTE = 'dead-head';

export interface DeadHead {
  /** Dead waiters in a row at the head. */
  heads: number;
  /** Those behind them, who get nothing meanwhile. */
  behind: number;
  /** When their library drops the last of them by itself (epoch ms); null = not known. */
  until: number | null;
}

/** The dead at the head of a queue whose library lets nobody pass them; null where nobody is kept waiting. */
export function deadHead({
  waiters,
  library,
}: Pick<LockDetail, 'waiters' | 'library'>): DeadHead | null {
  if (!library.releaseNotes.includes(BLOCKING_NOTE)) return null;
  const firstAlive = waiters.findIndex(({ alive }) => alive !== false);
  const heads = firstAlive === -1 ? waiters.length : firstAlive;
  if (heads === 0) return null;
  const deadlines = waiters.slice(0, heads).map(({ deadline }) => deadline ?? null);
  const known = deadlines.filter((deadline) => deadline !== null);
  return {
    heads,
    behind: waiters.length - heads,
    until: known.length === heads ? Math.max(...known) : null,
  };
}
