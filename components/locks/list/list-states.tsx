'use client';

import { LockOpen, SearchX } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { WhenSeen } from '@/components/live/when-seen';
import { ErrorText } from '@/components/labels';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ErrorBody } from '@/lib/protocol/errors';

interface NoLocksProps {
  all: number;
  /** Free locks are left out. */
  hidesFree: boolean;
  onClear: () => void;
  onShowFree: () => void;
}

/** Nothing to list: nothing was ever seen, nothing is held, or the conditions leave nothing. */
export function NoLocks({ all, hidesFree, onClear, onShowFree }: NoLocksProps) {
  const t = useTranslations('locks');
  if (all > 0 && hidesFree) {
    return (
      <EmptyState
        icon={<LockOpen size={26} aria-hidden />}
        title={t('empty.freeTitle')}
        actions={<Button onClick={onShowFree}>{t('showFree')}</Button>}
      >
        {t('empty.free')}
      </EmptyState>
    );
  }
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
          <>
            <PageLink href="/libraries" className={buttonClass()}>
              {t('empty.toLibraries')}
            </PageLink>
            <PageLink href="/targets" className={buttonClass()}>
              {t('empty.toTargets')}
            </PageLink>
          </>
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
      <ErrorText error={error} />
    </Notice>
  );
}
