'use client';

import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { SessionView } from '@/lib/protocol/session';
import { LiveStore } from '@/lib/live/live-store';
import { createTickClock } from '@/lib/live/tick-clock';
import type { LiveTransport } from '@/lib/live/transport';
import { LiveContext } from './live-context';
import { fetchSession } from './session';
import { createSocketTransport } from './socket-transport';

/** The session, asked for again when a lost connection comes back or is refused: the role may have changed. */
function useFetchedSession(store: LiveStore): SessionView | null {
  const [session, setSession] = useState<SessionView | null>(null);
  useEffect(() => {
    let wanted = true;
    let wasLost = false;
    const refresh = async (): Promise<void> => {
      try {
        const next = await fetchSession();
        if (wanted) setSession(next);
      } catch {
        // The console cannot be reached: the connection state says so, the last known session stays.
      }
    };
    void refresh();
    const unsubscribe = store.onConnection(() => {
      if (store.refused || (wasLost && store.connection === 'connected')) void refresh();
      wasLost = store.connection === 'disconnected';
    });
    return () => {
      wanted = false;
      unsubscribe();
    };
  }, [store]);
  return session;
}

/**
 * Gives everything below it live data over one socket, which opens after the first paint.
 * `transport` replaces the socket, for the gallery and tests.
 */
export function LiveProvider({
  children,
  transport,
}: {
  children: ReactNode;
  transport?: LiveTransport;
}): ReactNode {
  const [store] = useState(() => new LiveStore(transport ?? createSocketTransport()));
  const [clock] = useState(() => createTickClock(() => store.serverNow()));
  const session = useFetchedSession(store);

  useEffect(() => {
    store.start();
    return () => store.stop();
  }, [store]);

  const live = useMemo(() => ({ store, clock, session }), [store, clock, session]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
