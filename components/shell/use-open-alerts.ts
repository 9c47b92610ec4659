'use client';

import { useLive } from '@/components/hooks';

const OPEN = { state: 'open', limit: 500 } as const;

/** The open alerts that want attention: acknowledged and silenced ones are open, but not counted. */
export function useOpenAlerts() {
  const { data } = useLive('alerts', OPEN);
  const storeBroken = data?.items.find((alert) => alert.code === 'store-broken') ?? null;
  return { counts: data?.attention ?? null, storeBroken };
}
