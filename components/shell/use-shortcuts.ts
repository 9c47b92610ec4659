'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { isPlainKey } from '@/components/hooks/key-events';
import { NAV_ITEMS } from './nav-items';

/** How long after `g` the second key may come. */
const CHORD_MS = 1200;
const SEARCH_HASH = '#search';

/** The keys that work on every page: `/`, `g` + letter, `?`. */
export function useShortcuts(onHelp: () => void): void {
  const router = useRouter();
  const chordUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return;
      const inChord = event.timeStamp < chordUntil.current;
      chordUntil.current = 0;
      const page = inChord && NAV_ITEMS.find((item) => item.key === event.key);
      if (page) {
        event.preventDefault();
        router.push(page.href);
      } else if (event.key === 'g') {
        chordUntil.current = event.timeStamp + CHORD_MS;
      } else if (event.key === '/') {
        event.preventDefault();
        if (!focusSearch()) router.push(`/locks${SEARCH_HASH}`);
      } else if (event.key === '?') {
        event.preventDefault();
        onHelp();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [router, onHelp]);
}

/** Puts the caret into the page's own search field; false where there is none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}
