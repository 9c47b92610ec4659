'use client';

import { useSession } from '@/components/hooks';

/** Whether who is signed in may do what operators may; the server asks again. */
export function useMayOperate(): boolean {
  const role = useSession()?.role;
  return role === 'operator' || role === 'admin';
}
