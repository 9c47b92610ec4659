'use client';

import { useCallback, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { OfRedis } from '@/components/live/loss';
import { Checkbox } from '@/components/ui/field';
import { PageHeader } from '@/components/ui/page-header';
import { BulkReleaseButton } from '@/components/locks/release/bulk-release-button';
import { FilterBar } from './filter-bar';
import { FilterChips } from './filter-chips';
import { askedFilter, listSearch, mayHideFree } from './list-url';
import { LocksTable } from './locks-table';
import { NoLocks, LocksFailed, LocksLoading } from './list-states';
import { windowFor, type RowWindow } from './row-window';
import { useListState } from './use-list-state';

const FIRST_WINDOW = windowFor(0, 0);

/** The list of locks: what to show is in the URL, what is shown comes live. */
export function LocksView() {
  const t = useTranslations('locks');
  const list = useListState();
  const { state, show } = list;
  const search = listSearch(state);
  const filter = askedFilter(state);
  const [visible, setVisible] = useState({ search, window: FIRST_WINDOW });
  // Another list begins at its top, whatever the place in the one before.
  const rows = visible.search === search ? visible.window : FIRST_WINDOW;
  const snapshot = useLive('locks', {
    ...filter,
    ...(state.sort && { sort: state.sort }),
    limit: rows.limit,
    cursor: String(rows.offset),
  });
  const onVisible = useCallback(
    (first: number, last: number) =>
      setVisible((before) => {
        const next = windowFor(first, last);
        return before.search === search && sameWindow(before.window, next)
          ? before
          : { search, window: next };
      }),
    [search],
  );
  const { data } = snapshot;
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2.5 border-b border-line px-3 py-3 md:px-4">
        <LocksHeader
          total={data?.total}
          all={data?.all}
          actions={
            <BulkReleaseButton
              filter={filter}
              isNarrowed={Object.keys(state.filter).length > 0}
              releasable={data?.releasable ?? null}
            />
          }
        />
        <FilterBar {...list} rows={data?.items ?? []} />
        {mayHideFree(state.filter) && data && (
          <Checkbox
            label={
              filter.free && Object.keys(state.filter).length === 0
                ? t('showFreeOf', { count: data.all - data.total })
                : t('showFree')
            }
            checked={state.free ?? false}
            onChange={(event) => show({ ...state, free: event.target.checked })}
            className="self-start text-ink-2"
          />
        )}
        <FilterChips state={state} show={show} />
        {data && snapshot.error && <LocksFailed error={snapshot.error} />}
      </div>
      {!data && (snapshot.error ? <LocksFailed error={snapshot.error} /> : <LocksLoading />)}
      {data && data.total === 0 && (
        <NoLocks
          all={data.all}
          hidesFree={filter.free !== undefined}
          onClear={() => show({ filter: {}, sort: state.sort })}
          onShowFree={() => show({ ...state, free: true })}
        />
      )}
      {data && data.total > 0 && (
        <OfRedis className="flex min-h-0 flex-1 flex-col">
          <LocksTable
            snapshot={snapshot}
            resetKey={search}
            sort={state.sort}
            onSort={(sort) => show({ ...state, sort })}
            onVisible={onVisible}
          />
        </OfRedis>
      )}
    </div>
  );
}

function LocksHeader(props: {
  total: number | undefined;
  all: number | undefined;
  actions: ReactNode;
}) {
  const t = useTranslations('locks');
  const { total, all, actions } = props;
  return (
    <PageHeader
      title={t('title')}
      actions={actions}
      aside={
        total !== undefined &&
        all !== undefined && (
          <output className="text-sm text-ink-3">
            {total === all ? t('total', { shown: total }) : t('totalOf', { shown: total, all })}
          </output>
        )
      }
    />
  );
}

const sameWindow = (a: RowWindow, b: RowWindow): boolean =>
  a.offset === b.offset && a.limit === b.limit;
