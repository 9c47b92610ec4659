import type { ErrorBody } from '@/lib/protocol/errors';

export interface Conflict {
  /** Null when nobody holds the lock any more. */
  holder: string | null;
  since: number | null;
}

/** Who holds the lock now, out of a CONFLICT; `null` when the server did not say. */
export function conflictOf(error: ErrorBody['error']): Conflict | null {
  const { holder, since = null } = error.details ?? {};
  if (holder !== null && typeof holder !== 'string') return null;
  if (since !== null && typeof since !== 'number') return null;
  return { holder, since };
}
