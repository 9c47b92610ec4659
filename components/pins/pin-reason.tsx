'use client';

import { useTranslations } from 'use-intl';
import { Field, Textarea } from '@/components/ui/field';

interface Props {
  hint: string;
  value: string;
  onChange: (reason: string) => void;
}

export function PinReason({ hint, value, onChange }: Props) {
  const t = useTranslations('pin');
  return (
    <Field label={t('reason')} hint={hint}>
      {(ids) => (
        <Textarea
          {...ids}
          required
          maxLength={500}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
