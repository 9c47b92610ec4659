'use client';

import { useLive } from '@/components/hooks';
import type { Alert, AlertPage } from '@/lib/protocol/alert';

/** As many open alerts as are told at once. */
export const OPEN_LIMIT = 500;
/** The same parameters as the frame's, so that both share one live query. */
const OPEN = { state: 'open', limit: OPEN_LIMIT } as const;

/** The open alerts and what they are about, whatever the page lists. */
export function useOpenAlerts(): { items: readonly Alert[]; groups: AlertPage['groups'] } {
  const { data } = useLive('alerts', OPEN);
  return { items: data?.items ?? [], groups: data?.groups };
}
