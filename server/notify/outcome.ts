import type { Sentence } from '@/lib/protocol/sentence';

/** How an attempt to tell went. */
export type Outcome =
  | { kind: 'delivered' }
  /** It will be the same next time. */
  | { kind: 'refused'; why: Sentence }
  | {
      kind: 'failed';
      why: Sentence;
      /** There was no answer, so it may have arrived. */
      maybeSeen: boolean;
      /** For how long the receiver asked to be left alone. */
      retryAfterMs: number | null;
    };

export const DELIVERED: Outcome = { kind: 'delivered' };

export const refused = (why: Sentence): Outcome => ({ kind: 'refused', why });

export const failed = (
  why: Sentence,
  {
    maybeSeen = false,
    retryAfterMs = null,
  }: { maybeSeen?: boolean; retryAfterMs?: number | null } = {},
): Outcome => ({ kind: 'failed', why, maybeSeen, retryAfterMs });
