import { createContext, useContext } from 'react';
import type { LiveStore } from '@/lib/live/live-store';
import type { TickClock } from '@/lib/live/tick-clock';
import type { SessionView } from '@/lib/protocol/session';

export interface Live {
  store: LiveStore;
  clock: TickClock;
  session: SessionView | null;
}

export const LiveContext = createContext<Live | null>(null);

/** Throws outside of a `LiveProvider`. */
export function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('live data are used outside of <LiveProvider>');
  return live;
}
