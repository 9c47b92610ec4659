'use client';

import { Waypoints } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLive, useMoment } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { DeadlockCard } from './deadlock-card';

/** The circles that stood at the moment in the address. */
export function PastDeadlocks() {
  const { at } = useMoment();
  return at === null ? null : <DeadlocksAt at={at} />;
}

function DeadlocksAt({ at }: { at: number }) {
  const t = useTranslations('deadlocks');
  const answer = useLive('deadlocks', { at });
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <LiveData snapshot={answer}>
        {(items) => (
          <div className="flex min-w-0 flex-col gap-3">
            {items.map((each) => (
              <DeadlockCard key={`${each.id} ${each.since}`} deadlock={each} at={at} />
            ))}
            {items.length === 0 && (
              <div className="rounded-lg border border-line bg-surface">
                <EmptyState icon={<Waypoints size={22} aria-hidden />} title={t('noneThen')}>
                  {t('noneText')}
                </EmptyState>
              </div>
            )}
          </div>
        )}
      </LiveData>
    </PageBody>
  );
}
