'use client';

import { useTranslations } from 'use-intl';
import { Skeleton } from '@/components/ui/skeleton';

export function OverviewSkeleton() {
  const t = useTranslations('ui');
  return (
    <output aria-label={t('loading')} className="flex flex-col gap-3">
      <Skeleton className="h-24 w-full" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-5">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} className="h-20" />
        ))}
      </div>
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-60 w-full" />
    </output>
  );
}
