'use client';

import { useCallback, useSyncExternalStore } from 'react';
import type { ConnectionState } from '@/lib/live/transport';
import { useLiveContext } from '@/components/live/live-context';

const connecting = (): ConnectionState => 'connecting';

/** The connection between this page and the console; not the console's to Redis. */
export function useConnection(): ConnectionState {
  const { store } = useLiveContext();
  const subscribe = useCallback((listener: () => void) => store.onConnection(listener), [store]);
  return useSyncExternalStore(subscribe, () => store.connection, connecting);
}
