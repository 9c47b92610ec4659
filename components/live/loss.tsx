'use client';

import { clsx } from 'clsx';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useConnection, useLive } from '@/components/hooks';
import { stoppedAt } from '@/lib/live/tick-clock';
import { lostSince } from '@/lib/analysis/target-sight';
import { LiveContext, useLiveContext } from './live-context';

/**
 * Which connection is lost: the page's to the console, or the console's to Redis. `since` is until when
 * what is shown was seen, epoch ms by the server's clock; null where that is not known.
 */
export interface Loss {
  of: 'console' | 'redis';
  since: number | null;
}

const LossContext = createContext<Loss | null>(null);

/** Null while what is shown is of now, and outside of a `LossProvider`. */
export const useLoss = (): Loss | null => useContext(LossContext);

function useFoundLoss(): Loss | null {
  const isCutOff = useConnection() === 'disconnected';
  // The targets are sent every second, so their time is the time of everything on the page.
  const { data, at } = useLive('targets', {});
  const lost = (data ?? []).map(lostSince).find((since) => since !== undefined);
  const of = isCutOff ? 'console' : lost === undefined ? null : 'redis';
  const since = lost ?? (isCutOff ? at : null);
  return useMemo(() => of && { of, since }, [of, since]);
}

/** Tells everything below it when a connection is lost. Once, around the pages. */
export function LossProvider({ children }: { children: ReactNode }) {
  return <LossContext value={useFoundLoss()}>{children}</LossContext>;
}

/**
 * What shows how Redis is now. With a connection lost it is drawn as of a while ago, and its clock stops
 * at that moment: a lease that counts on would say of a lock that nobody sees when it is free.
 */
export function OfRedis({ className, children }: { className?: string; children: ReactNode }) {
  const live = useLiveContext();
  const loss = useLoss();
  const since = loss?.since ?? null;
  const shown = useMemo(
    () => (since === null ? live : { ...live, clock: stoppedAt(since) }),
    [live, since],
  );
  return (
    <LiveContext value={shown}>
      <div className={clsx('min-w-0', className, loss && 'stale')} data-lost={loss?.of}>
        {children}
      </div>
    </LiveContext>
  );
}
