'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { Overview } from '@/lib/protocol/measures';
import { Badge } from '@/components/ui/badge';

/** One line per watched Redis: can we see it? */
export function TargetList({ targets }: { targets: Overview['targets'] }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  return (
    <ul>
      {targets.map((target) => (
        <li
          key={target.id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-0"
        >
          <span className="min-w-0 truncate font-medium">{target.id}</span>
          <Badge tone={target.connected ? 'ok' : 'critical'}>
            {t(target.connected ? 'targetConnected' : 'targetLost')}
          </Badge>
          {target.sight !== 'whole' && (
            <Badge tone={target.sight === 'part' ? 'warning' : 'critical'}>
              {t(`targetSights.${target.sight}`)}
            </Badge>
          )}
          {target.sweeping && <Badge tone="info">{t('targetSweeping')}</Badge>}
          {target.connected && (
            <span className="ml-auto text-xs text-ink-3">
              {t('eventsPerSecond', {
                rate: format.number(target.eventsPerSecond, { maximumSignificantDigits: 3 }),
              })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
