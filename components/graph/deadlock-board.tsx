'use client';

import { Waypoints } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLive, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { DeadlockCard } from './deadlock-card';

/** Circles of owners that wait for each other: the present ones, then those that are over. */
export function DeadlockBoard() {
  const t = useTranslations('deadlocks');
  const answer = useLive('deadlocks', {});
  const marked = useUrlParams().get('deadlock');
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <LiveData snapshot={answer} ofRedis>
        {(items) => {
          const now = items.filter((each) => each.state !== 'resolved');
          const past = items.filter((each) => each.state === 'resolved');
          return (
            <div className="flex min-w-0 flex-col gap-3">
              {now.length === 0 && <NoDeadlock />}
              {now.map((each) => (
                <DeadlockCard key={each.id} deadlock={each} marked={each.id === marked} />
              ))}
              {past.length > 0 && (
                <h2 className="mt-2 text-sm font-semibold text-ink-2">{t('past')}</h2>
              )}
              {past.map((each) => (
                <DeadlockCard key={each.id} deadlock={each} marked={each.id === marked} />
              ))}
            </div>
          );
        }}
      </LiveData>
    </PageBody>
  );
}

function NoDeadlock() {
  const t = useTranslations('deadlocks');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState icon={<Waypoints size={22} aria-hidden />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}
