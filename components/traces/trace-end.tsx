'use client';

import { useTranslations } from 'use-intl';
import type { Trace } from '@/lib/protocol/trace';
import { Notice } from '@/components/ui/notice';

/** Why a trace ended before its time, and what it could not count. */
export function TraceEnd({ trace }: { trace: Trace }) {
  const t = useTranslations('traces');
  const { stoppedBecause, stoppedBy, truncated, keyCount, clientCount } = trace;
  return (
    <>
      {stoppedBecause !== null && (
        <Notice
          tone={stoppedBecause === 'asked' ? 'info' : 'warning'}
          title={t('stoppedTitle')}
          role="alert"
        >
          {t(`stops.${stoppedBecause}`, { actor: stoppedBy ?? '' })}
        </Notice>
      )}
      {truncated && (
        <Notice tone="warning" title={t('truncated')}>
          {t('truncatedText', { keys: keyCount, clients: clientCount })}
        </Notice>
      )}
    </>
  );
}
