'use client';

import { useLiveContext } from '@/components/live/live-context';
import type { SessionView } from '@/lib/protocol/session';

/** Who is signed in; null while it is not known, and without a session. */
export function useSession(): SessionView | null {
  return useLiveContext().session;
}
