'use client';

import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { Field, Textarea } from '@/components/ui/field';

/** As the server asks for it. */

interface Props {
  value: string;
  onChange: (value: string) => void;
  inputRef?: RefObject<HTMLTextAreaElement | null>;
}

export function ReasonField({ value, onChange, inputRef }: Props) {
  const t = useTranslations('release');
  return (
    <Field label={t('reason')} hint={t('reasonHint')}>
      {(ids) => (
        <Textarea
          {...ids}
          ref={inputRef}
          required
          minLength={3}
          maxLength={500}
          placeholder={t('reasonPlaceholder')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
