'use client';

import { Field, Textarea } from '@/components/ui/field';

interface Props {
  label: string;
  hint: string;
  value: string;
  onChange: (reason: string) => void;
}

/** Why somebody does something: what the audit trail tells later. */
export function ReasonArea({ label, hint, value, onChange }: Props) {
  return (
    <Field label={label} hint={hint}>
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
