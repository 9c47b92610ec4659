'use client';

import { Download, ScrollText } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { AuditPage } from '@/lib/protocol/audit';
import { useLive, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { MOST, auditQuery, isFiltered, moreOf, readAuditView, type AuditView } from './audit-view';

const NO_FILTERS = { actor: null, key: null, from: null, to: null, limit: null, cursor: null };

/** The audit trail, newest first, with what each act found and left behind. */
export function AuditBoard() {
  const t = useTranslations('audit');
  const url = useUrlParams();
  const view = readAuditView(url.get);
  const answer = useLive('audit', auditQuery(view));
  return (
    <PageBody>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <a
            href="/api/v1/audit/export"
            download
            title={t('exportTitle')}
            className={buttonClass()}
          >
            <Download size={13} aria-hidden />
            {t('export')}
          </a>
        }
      />
      <AuditFilters
        view={view}
        onChange={(changes) => url.set({ ...changes, limit: null, cursor: null }, 'replace')}
        onClear={() => url.set(NO_FILTERS)}
      />
      {view.cursor !== null && (
        <Notice
          actions={
            <Button onClick={() => url.set({ cursor: null, limit: null })}>{t('newest')}</Button>
          }
        >
          {t('notNewest')}
        </Notice>
      )}
      <LiveData snapshot={answer}>
        {(page) =>
          page.items.length === 0 ? (
            <NoEntries filtered={isFiltered(view)} onClear={() => url.set(NO_FILTERS)} />
          ) : (
            <>
              <AuditTable entries={page.items} />
              <More page={page} view={view} onMore={url.set} />
            </>
          )
        }
      </LiveData>
    </PageBody>
  );
}

interface MoreProps {
  page: AuditPage;
  view: AuditView;
  onMore: (changes: Record<string, string | number | null>) => void;
}

function More({ page, view, onMore }: MoreProps) {
  const t = useTranslations('audit');
  const { cursor } = page;
  if (cursor === null) return <p className="py-3 text-center text-xs text-ink-3">{t('end')}</p>;
  return (
    <div className="flex justify-center py-3">
      <Button onClick={() => onMore(moreOf(view, cursor))}>
        {t(view.limit < MOST ? 'loadMore' : 'older')}
      </Button>
    </div>
  );
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useTranslations('audit');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        icon={<ScrollText size={22} aria-hidden />}
        title={t(filtered ? 'noMatch' : 'none')}
        actions={filtered && <Button onClick={onClear}>{t('clear')}</Button>}
      >
        {filtered ? null : t('noneText')}
      </EmptyState>
    </div>
  );
}
