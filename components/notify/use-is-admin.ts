'use client';

import { useSession } from '@/components/hooks';

/** Whether who is signed in may change channels and routes; the server asks again. */
export const useIsAdmin = (): boolean => useSession()?.role === 'admin';
