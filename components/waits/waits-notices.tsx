'use client';

import { useTranslations } from 'use-intl';
import { Notice } from '@/components/ui/notice';
import type { Waits } from '@/lib/protocol/measures';

interface Props {
  data: Waits;
  /** Figures of a single lock. */
  isOfLock: boolean;
}

/** What is missing in the figures below, and why: said first, so that nobody takes it for calm. */
export function WaitsNotices({ data, isOfLock }: Props) {
  const t = useTranslations('waits');
  const isKnownCalm = data.count === 0 && data.evidence !== 'unknown' && data.holds.count > 0;
  return (
    <>
      {data.gaps.length > 0 && (
        <Notice tone="warning">{t('gaps', { count: data.gaps.length })}</Notice>
      )}
      {data.evidence === 'unknown' && data.holds.count > 0 && (
        <Notice title={t(isOfLock ? 'waitsUnknownKey' : 'waitsUnknown')}>
          {t(isOfLock ? 'waitsUnknownKeyText' : 'waitsUnknownText')}
        </Notice>
      )}
      {isKnownCalm && <Notice>{t(data.gaps.length > 0 ? 'noWaitsBesideGaps' : 'noWaits')}</Notice>}
    </>
  );
}
