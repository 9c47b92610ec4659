'use client';

import { useTranslations } from 'use-intl';
import { ALERT_CODES, SEVERITIES } from '@/lib/protocol/closed-sets';
import { Select } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { SHOWS, type AlertView } from './alert-filter';

interface Props {
  view: AlertView;
  onChange: (changes: Record<string, string | null>) => void;
}

export function AlertToolbar({ view, onChange }: Props) {
  const t = useTranslations('alerts');
  const labels = useTranslations('labels');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label={t('show')}
        value={view.show}
        options={SHOWS.map((show) => ({ value: show, label: t(`shows.${show}`) }))}
        onChange={(show) => onChange({ show: show === 'open' ? null : show })}
      />
      <Select
        aria-label={t('severity')}
        className="w-auto!"
        value={view.severity ?? ''}
        onChange={(event) => onChange({ severity: event.target.value })}
      >
        <option value="">{t('anySeverity')}</option>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {labels(`severities.${severity}`)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('code')}
        className="w-auto!"
        value={view.code ?? ''}
        onChange={(event) => onChange({ code: event.target.value })}
      >
        <option value="">{t('anyCode')}</option>
        {ALERT_CODES.map((code) => (
          <option key={code} value={code}>
            {labels(`alertCodes.${code}`)}
          </option>
        ))}
      </Select>
    </div>
  );
}
