'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { listSearch, parseListState, type ListState } from './list-url';

export interface ListStateHandle {
  state: ListState;
  /** A new place in the browser's history: back undoes it. */
  show: (next: ListState) => void;
  /** The same place: for typing. */
  refine: (next: ListState) => void;
}

/** The state of the list, kept in the URL without asking the server for the page again. */
export function useListState(): ListStateHandle {
  const params = useSearchParams();
  const text = params.toString();
  const state = useMemo(() => parseListState(new URLSearchParams(text)), [text]);
  const show = useCallback((next: ListState) => {
    window.history.pushState(null, '', `${window.location.pathname}${listSearch(next)}`);
  }, []);
  const refine = useCallback((next: ListState) => {
    window.history.replaceState(null, '', `${window.location.pathname}${listSearch(next)}`);
  }, []);
  return { state, show, refine };
}
