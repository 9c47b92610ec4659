'use client';

import { useTranslations } from 'use-intl';
import { ClockTime, DurationText, Elapsed } from '@/components/labels';
import type { Alert } from '@/lib/protocol/alert';

/** Since when the condition is there, and when that became an alert: a rule may let it last first. */
export function AlertMoments({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const { since, alertedAt, resolvedAt } = alert;
  return (
    <span className="tabular-nums">
      {t.rich('conditionSince', { time: () => <ClockTime at={since} /> })}{' '}
      {t.rich(resolvedAt === null ? 'soFar' : 'inAll', {
        duration: () =>
          resolvedAt === null ? (
            <Elapsed since={since} />
          ) : (
            <DurationText ms={resolvedAt - since} />
          ),
      })}
      {alertedAt != null && (
        <> · {t.rich('alertedAt', { time: () => <ClockTime at={alertedAt} /> })}</>
      )}
      {alertedAt === null && <> · {t(resolvedAt === null ? 'notAlerted' : 'neverAlerted')}</>}
      {resolvedAt !== null && (
        <> · {t.rich('resolvedAt', { time: () => <ClockTime at={resolvedAt} /> })}</>
      )}
    </span>
  );
}
