'use client';

import { useTranslations } from 'use-intl';
import { Field, Select } from '@/components/ui/field';

const MINUTE_MS = 60_000;
const MINUTES = ['30', '60', '120', '480', '1440', '10080'] as const;

export const DEFAULT_PERIOD_MS = 120 * MINUTE_MS;

interface Props {
  value: number;
  onChange: (periodMs: number) => void;
}

/** For how long, in milliseconds. */
export function PeriodField({ value, onChange }: Props) {
  const t = useTranslations('alerts.dialog');
  return (
    <Field label={t('for')}>
      {(ids) => (
        <Select
          {...ids}
          className="h-8!"
          value={`${value / MINUTE_MS}`}
          onChange={({ target }) => onChange(Number(target.value) * MINUTE_MS)}
        >
          {MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {t(`hours.${minutes}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
