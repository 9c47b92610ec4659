'use client';

import { useTranslations } from 'use-intl';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { SeverityIcon } from '@/components/labels';
import type { Severity } from '@/lib/protocol/alert';

const ORDER: readonly Severity[] = ['critical', 'warning', 'info'];

/** Open alerts that nobody looks after or silenced, by severity; nothing where there are none. */
export function AlertCounts() {
  const t = useTranslations('shell');
  const { attention: counts } = useOpenAlerts();
  if (!counts) return null;
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium">
      {ORDER.filter((severity) => counts[severity] > 0).map((severity) => (
        <span
          key={severity}
          title={t(`alertsOpen.${severity}`, { count: counts[severity] })}
          className="inline-flex items-center gap-0.5"
        >
          <SeverityIcon severity={severity} size={12} />
          <span aria-hidden>{counts[severity]}</span>
          <span className="sr-only">
            {t(`alertsOpen.${severity}`, { count: counts[severity] })}
          </span>
        </span>
      ))}
    </span>
  );
}
