'use client';

import { useTranslations } from 'use-intl';
import { Notice } from '@/components/ui/notice';
import type { LockDetail } from '@/lib/protocol/lock';

/** What an old holder of this library does to a lock that was released under it; silent where it only fails. */
export function OldHolder({ library }: { library: LockDetail['library'] }) {
  const t = useTranslations('release.oldHolder');
  const { oldHolder } = library;
  if (oldHolder !== 'revives' && oldHolder !== 'steals') return null;
  return (
    <Notice tone="warning" title={t(`${oldHolder}Title`)}>
      {t(oldHolder)}
    </Notice>
  );
}
