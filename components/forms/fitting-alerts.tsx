'use client';

import { useTranslations } from 'use-intl';
import { OPEN_LIMIT } from '@/components/hooks/use-open-alerts';
import { AlertCodeLabel, KeyText, SeverityIcon } from '@/components/labels';
import type { Alert } from '@/lib/protocol/alert';

const LISTED = 5;

interface Props {
  label: string;
  /** All open alerts that are known here. */
  alerts: readonly Alert[];
  fits: (alert: Alert) => boolean;
}

/** How many open alerts what stands in a form fits now, and the first of them. */
export function FittingAlerts({ label, alerts, fits }: Props) {
  const ui = useTranslations('ui.fitting');
  const fitting = alerts.filter(fits);
  const count = fitting.length;
  return (
    <section aria-label={label} className="rounded-md border border-line bg-sunken p-3">
      <p aria-live="polite" className="text-sm font-medium">
        {alerts.length >= OPEN_LIMIT ? ui('alertsAtLeast', { count }) : ui('alerts', { count })}
      </p>
      {count > 0 && (
        <ul className="mt-1.5 flex flex-col gap-0.5 text-xs">
          {fitting.slice(0, LISTED).map((alert) => (
            <li key={alert.id} className="flex min-w-0 items-center gap-1.5">
              <SeverityIcon severity={alert.severity} size={12} />
              <span className="shrink-0">
                <AlertCodeLabel code={alert.code} />
              </span>
              <KeyText text={alert.subject.label} className="text-ink-2" />
            </li>
          ))}
          {count > LISTED && (
            <li className="text-ink-3">{ui('more', { count: count - LISTED })}</li>
          )}
        </ul>
      )}
    </section>
  );
}
