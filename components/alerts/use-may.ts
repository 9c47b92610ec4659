'use client';

import { useSession } from '@/components/hooks';
import { ROLES } from '@/lib/protocol/closed-sets';

type Role = (typeof ROLES)[number];

/** Whether the session has that role or one above it; null while the session is not known. */
export function useMay(role: Role): boolean | null {
  const session = useSession();
  return session === null ? null : ROLES.indexOf(session.role) >= ROLES.indexOf(role);
}
