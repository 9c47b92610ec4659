'use client';

import { useCallback } from 'react';
import { isMoment } from '@/lib/protocol/time';
import { useUrlParams } from './use-url-params';

export interface MomentInUrl {
  /** The moment of the past that the page shows, epoch ms; null = it shows the present. */
  at: number | null;
  goTo: (at: number, how?: 'push' | 'replace') => void;
  toNow: () => void;
}

/** Reads `at` of an address; whatever is no moment is as good as absent. */
export function readMoment(text: string | null): number | null {
  if (text === null || !/^\d{1,16}$/.test(text)) return null;
  const at = Number(text);
  return isMoment(at) ? at : null;
}

/** The moment that a page shows stands in its address: it can be sent to somebody, and Back works. */
export function useMoment(): MomentInUrl {
  const { get, set } = useUrlParams();
  const goTo = useCallback<MomentInUrl['goTo']>(
    (at, how) => set({ at: Math.round(at) }, how),
    [set],
  );
  const toNow = useCallback(() => set({ at: null }), [set]);
  return { at: readMoment(get('at')), goTo, toNow };
}
