'use client';

import { UserRoundX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';

/** Stands for an owner of whom nothing is written: a counter is no name, and nobody is guessed. */
export function NoOwner() {
  const t = useTranslations('labels');
  return (
    <Badge title={t('noOwnerMeaning')} icon={<UserRoundX size={11} aria-hidden />}>
      {t('noOwnerInformation')}
    </Badge>
  );
}
