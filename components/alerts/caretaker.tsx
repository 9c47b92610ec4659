'use client';

import { useTranslations } from 'use-intl';
import { ClockTime } from '@/components/labels';
import type { Alert } from '@/lib/protocol/alert';

/** Who looks after an alert and why; who keeps it quiet, until when and why. */
export function Caretaker({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const { acknowledgedBy, acknowledgedAt, silencedBy, silencedUntil } = alert;
  return (
    <>
      {acknowledgedBy !== null && (
        <p className="break-words">
          {t('acknowledgedBy', { name: acknowledgedBy, reason: alert.acknowledgedReason ?? '–' })}
          {acknowledgedAt != null && (
            <span className="text-ink-3">
              {' '}
              (<ClockTime at={acknowledgedAt} />)
            </span>
          )}
        </p>
      )}
      {alert.state === 'silenced' && silencedUntil !== null && (
        <p className="break-words">
          {t.rich(silencedBy == null ? 'quietUntil' : 'quietUntilBy', {
            time: () => <ClockTime at={silencedUntil} />,
            name: silencedBy ?? '',
            reason: alert.silencedReason ?? '–',
          })}
        </p>
      )}
    </>
  );
}
