'use client';

import { SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageLink } from '@/components/ui/page-link';

/** There is no such alert, or no more. */
export function IncidentMissing() {
  const t = useTranslations('incident');
  return (
    <EmptyState
      isPage
      icon={<SearchX size={26} aria-hidden />}
      title={t('missing')}
      actions={
        <PageLink href="/alerts?state=all" className={buttonClass()}>
          {t('toList')}
        </PageLink>
      }
    >
      {t('missingText')}
    </EmptyState>
  );
}
