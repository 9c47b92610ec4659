'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { Field, Input } from '@/components/ui/field';

const SUGGESTED = 200;

/** A lock class, as the console names it. */
export function ClassField({ value, onChange }: { value: string; onChange: (to: string) => void }) {
  const t = useTranslations('rules');
  const list = useId();
  const { data } = useLive('classes', {});
  return (
    <Field label={t('class')} hint={t('classHint')}>
      {(ids) => (
        <>
          <Input
            {...ids}
            required
            dir="ltr"
            className="font-mono"
            list={list}
            maxLength={4000}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {data?.items.slice(0, SUGGESTED).map((each) => (
              <option key={each.class} value={each.class}>
                {each.class}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
