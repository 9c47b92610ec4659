'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

export interface UrlParams {
  get: (name: string) => string | null;
  /** Changes some parameters and keeps the rest; null or '' removes one. `push` makes a step for Back. */
  set: (changes: Record<string, string | number | null>, how?: 'push' | 'replace') => void;
}

/** The state of a page lives in its address: shareable, and Back works. Never loads a page. */
export function useUrlParams(): UrlParams {
  const search = useSearchParams();
  const pathname = usePathname();
  const get = useCallback((name: string) => search.get(name), [search]);
  const set = useCallback<UrlParams['set']>(
    (changes, how = 'push') => {
      // The address itself, not the last render: two changes in one tick must both survive.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, String(value));
      }
      const query = next.toString();
      const url = query === '' ? pathname : `${pathname}?${query}`;
      if (how === 'push') window.history.pushState(null, '', url);
      else window.history.replaceState(null, '', url);
    },
    [pathname],
  );
  return { get, set };
}
