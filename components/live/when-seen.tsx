'use client';

import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyState } from '@/components/ui/empty-state';
import { useLoss } from './loss';

/** What may be said only by who sees Redis: "there is none". Without a connection it is not known. */
export function WhenSeen({ children }: { children: ReactNode }) {
  const t = useTranslations('live');
  if (useLoss()?.of !== 'redis') return children;
  return (
    <EmptyState icon={<Unplug size={22} aria-hidden />} title={t('notKnown')}>
      {t('notKnownText')}
    </EmptyState>
  );
}
