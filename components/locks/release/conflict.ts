import { z } from 'zod';
import type { ErrorBody } from '@/lib/protocol/errors';

const Details = z.object({
  holder: z.string().nullable(),
  since: z.number().nullable().optional(),
});

export interface Conflict {
  /** Null when nobody holds the lock any more. */
  holder: string | null;
  since: number | null;
}

/** Who holds the lock now, out of a CONFLICT; `null` when the server did not say. */
export function conflictOf(error: ErrorBody['error']): Conflict | null {
  const parsed = Details.safeParse(error.details);
  if (!parsed.success) return null;
  return { holder: parsed.data.holder, since: parsed.data.since ?? null };
}
