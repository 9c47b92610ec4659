'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { useLiveContext } from '@/components/live/live-context';

const hydrating = (): number => 0;

/**
 * Epoch ms by the server's clock, new every `intervalMs`; all users of one interval share a timer and
 * see the same number. 0 on the server and while hydrating, where no live data exist yet.
 */
export function useNow(intervalMs = 1000): number {
  const { clock } = useLiveContext();
  const subscribe = useCallback(
    (listener: () => void) => clock.subscribe(intervalMs, listener),
    [clock, intervalMs],
  );
  return useSyncExternalStore(subscribe, () => clock.read(intervalMs), hydrating);
}
