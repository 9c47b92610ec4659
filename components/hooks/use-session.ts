'use client';

import { useLiveContext } from '@/components/live/live-context';
import type { Session } from '@/components/live/session';

/** Who is signed in; null while it is not known, and without a session. */
export function useSession(): Session | null {
  return useLiveContext().session;
}
