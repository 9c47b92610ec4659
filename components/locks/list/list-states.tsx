'use client';

import { LockOpen, SearchX } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { WhenSeen } from '@/components/live/when-seen';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ErrorBody } from '@/lib/protocol/errors';

/** Nothing to list: either nothing was ever seen, or the conditions leave nothing. */
export function NoLocks({ all, onClear }: { all: number; onClear: () => void }) {
  const t = useTranslations('locks');
  if (all > 0) {
    return (
      <EmptyState
        icon={<SearchX size={26} aria-hidden />}
        title={t('empty.filteredTitle')}
        actions={<Button onClick={onClear}>{t('filters.clear')}</Button>}
      >
        {t('empty.filtered', { all })}
      </EmptyState>
    );
  }
  return (
    <WhenSeen>
      <EmptyState
        icon={<LockOpen size={26} aria-hidden />}
        title={t('empty.watchedTitle')}
        actions={
          <PageLink href="/targets" className={buttonClass()}>
            {t('empty.toTargets')}
          </PageLink>
        }
      >
        <p>{t('empty.watched')}</p>
        <p className="mt-1 text-ink-3">{t('empty.watchedHint')}</p>
      </EmptyState>
    </WhenSeen>
  );
}

export function LocksLoading() {
  const t = useTranslations('ui');
  return <SkeletonRows rows={16} label={t('loading')} />;
}

export function LocksFailed({ error }: { error: ErrorBody['error'] }) {
  const t = useTranslations('locks');
  return (
    <Notice tone="critical" role="alert" title={t('failedTitle')} className="m-3">
      {error.message}
    </Notice>
  );
}
