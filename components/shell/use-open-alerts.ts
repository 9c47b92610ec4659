'use client';

import { useMemo } from 'react';
import { useLive } from '@/components/hooks';
import type { Severity } from '@/lib/protocol/alert';

const OPEN = { state: 'open', limit: 500 } as const;

/** The open alerts that want attention: acknowledged and silenced ones are open, but not counted. */
export function useOpenAlerts() {
  const { data } = useLive('alerts', OPEN);
  const counts = useMemo(() => {
    if (!data) return null;
    const sum: Record<Severity, number> = { critical: 0, warning: 0, info: 0 };
    for (const alert of data.items) {
      if (alert.state === 'firing' || alert.state === 'pending') sum[alert.severity]++;
    }
    return sum;
  }, [data]);
  const storeBroken = data?.items.find((alert) => alert.code === 'store-broken') ?? null;
  return { counts, storeBroken };
}
