'use client';

import { LockOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLive, useMoment, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import type { Past } from '@/lib/protocol/past';
import { isFiltered, PastFilters, readPastFilter, type PastFilter } from './past-filters';
import { PastLocksTable } from './past-locks-table';
import { isWholeKnown, PastNotices } from './past-notices';
import { Settling } from './settling';

const PAGE = 100;

/** Every lock that was held or waited for at the moment in the address. */
export function PastLocks() {
  const { at } = useMoment();
  const url = useUrlParams();
  if (at === null) return null;
  return <PastList at={at} filter={readPastFilter(url.get)} />;
}

function PastList({ at, filter }: { at: number; filter: PastFilter }) {
  const t = useTranslations('past');
  const locks = useTranslations('locks');
  const list = JSON.stringify([at, filter]);
  const [page, setPage] = useState({ list, offset: 0 });
  // Another list begins at its top.
  const offset = page.list === list ? page.offset : 0;
  const answer = useLive('past', { ...filter, at, limit: PAGE, cursor: String(offset) });
  return (
    <PageBody wide>
      <PageHeader title={locks('title')} aside={answer.data && <Total data={answer.data} />} />
      <PastFilters filter={filter} />
      <Settling isBusy={answer.state === 'loading'}>
        <LiveData snapshot={answer}>
          {(data) => (
            <div className="flex min-w-0 flex-col gap-3">
              <PastNotices asked={at} moment={data} />
              {data.truncated && (
                <Notice tone="warning" title={t('truncated')}>
                  {t('truncatedText')}
                </Notice>
              )}
              <Panel title={t('listTitle')} flush>
                {data.total === 0 ? (
                  <Nothing data={data} filter={filter} />
                ) : (
                  <PastLocksTable data={data} />
                )}
              </Panel>
              <Pager data={data} onOffset={(to) => setPage({ list, offset: to })} />
            </div>
          )}
        </LiveData>
      </Settling>
    </PageBody>
  );
}

/** How many there were; nothing where that none is known does not say that there was none. */
function Total({ data }: { data: Past }) {
  const t = useTranslations('past');
  if (data.total === 0 && !isWholeKnown(data)) return null;
  return (
    <output className="text-sm text-ink-3">
      {t(data.truncated ? 'totalAtLeast' : 'total', { count: data.total })}
    </output>
  );
}

function Nothing({ data, filter }: { data: Past; filter: PastFilter }) {
  const t = useTranslations('past.empty');
  const { set } = useUrlParams();
  const icon = <LockOpen size={24} aria-hidden />;
  if (isFiltered(filter)) {
    return (
      <EmptyState
        icon={icon}
        title={t('filtered')}
        actions={
          <Button onClick={() => set({ q: null, class: null, namespace: null, owner: null })}>
            {t('clear')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState icon={icon} title={t(isWholeKnown(data) ? 'nothing' : 'unknown')}>
      {t(isWholeKnown(data) ? 'nothingText' : 'unknownText')}
    </EmptyState>
  );
}

function Pager({ data, onOffset }: { data: Past; onOffset: (offset: number) => void }) {
  const t = useTranslations('past.pager');
  const { offset, items, total } = data;
  if (total <= PAGE) return null;
  return (
    <nav aria-label={t('label')} className="flex items-center justify-end gap-2 text-sm text-ink-2">
      <span>{t('range', { first: offset + 1, last: offset + items.length, total })}</span>
      <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE))}>
        {t('previous')}
      </Button>
      <Button disabled={data.cursor === null} onClick={() => onOffset(offset + PAGE)}>
        {t('next')}
      </Button>
    </nav>
  );
}
