'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { QueryName, QueryParams, QueryResult } from '@/lib/protocol/queries';
import { canonicalJson } from '@/lib/live/canonical';
import { LOADING, type LiveSnapshot } from '@/lib/live/live-entry';
import { LiveView } from '@/lib/live/live-view';
import { useLiveContext } from '@/components/live/live-context';

const loading = (): LiveSnapshot<never> => LOADING;

/**
 * Opens a query and shows it live. Goes on showing the previous data, as `loading`, while `params`
 * change. `params` may be a new object on every render: they are compared by content.
 */
export function useLive<N extends QueryName>(
  query: N,
  params: QueryParams<N>,
): LiveSnapshot<QueryResult<N>> {
  const { store } = useLiveContext();
  const view = useMemo(() => new LiveView(store, query), [store, query]);
  const name = canonicalJson(params);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `name` stands for the content of `params`
  useEffect(() => view.show(params), [view, name]);
  useEffect(() => () => view.close(), [view]);
  return useSyncExternalStore<LiveSnapshot<QueryResult<N>>>(view.subscribe, view.snapshot, loading);
}
