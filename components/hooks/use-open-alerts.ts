'use client';

import { useLive } from './use-live';
import type { Alert, AlertPage } from '@/lib/protocol/alert';

/** As many open alerts as are told at once. */
export const OPEN_LIMIT = 500;
/** The same for everybody, so that all share one live query. */
const OPEN = { state: 'open', limit: OPEN_LIMIT } as const;

const NONE: readonly Alert[] = [];

interface OpenAlerts extends Partial<Pick<AlertPage, 'groups' | 'attention'>> {
  /** The same array while nothing changes. */
  items: readonly Alert[];
  /** They are of now, and not of before a connection was lost. */
  isLive: boolean;
}

/** The open alerts and what they are about, whatever the page lists. */
export function useOpenAlerts(): OpenAlerts {
  const { data, state } = useLive('alerts', OPEN);
  const { items = NONE, groups, attention } = data ?? {};
  return { items, groups, attention, isLive: state === 'live' };
}
