'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction, useLive } from '@/components/hooks';
import { Field, Input, Select } from '@/components/ui/field';
import { isReason } from '@/lib/protocol/reason';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';

export interface PinCandidate {
  /** Id of the lock format. */
  id: string;
  name: string;
}

interface Props {
  /** Id of the Redis whose keys are meant. */
  target: string;
  /** Suggested glob over keys, printable; empty = to be typed. */
  pattern?: string;
  /** Libraries that fit the keys, the best first. */
  candidates?: readonly PinCandidate[];
  onClose: () => void;
}

/** Says of all keys of a pattern which library they are of. */
export function PinDialog({ target, pattern: suggested = '', candidates = [], onClose }: Props) {
  const t = useTranslations('pin');
  const { run, pending, error } = useAction('format.pin');
  const [pattern, setPattern] = useState(suggested);
  const [format, setFormat] = useState(candidates[0]?.id ?? '');
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('title')}
      description={t('text')}
      confirm={{ text: t('pin'), look: 'primary' }}
      isValid={pattern !== '' && format !== '' && isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ target, pattern, format, reason: reason.trim() })}
      onClose={onClose}
    >
      <Field label={t('pattern')} hint={t('patternHint')}>
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            dir="ltr"
            required
            maxLength={4000}
            autoComplete="off"
            spellCheck={false}
            value={pattern}
            onChange={(event) => setPattern(event.target.value)}
          />
        )}
      </Field>
      <LibraryField candidates={candidates} value={format} onChange={setFormat} />
      <ReasonArea label={t('reason')} hint={t('reasonHint')} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

interface LibraryFieldProps {
  candidates: readonly PinCandidate[];
  value: string;
  onChange: (format: string) => void;
}

function LibraryField({ candidates, value, onChange }: LibraryFieldProps) {
  const t = useTranslations('pin');
  const { data } = useLive('libraries', {});
  const others = (data?.libraries ?? [])
    .filter(({ id }) => !candidates.some((candidate) => candidate.id === id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const optionsOf = (libraries: readonly PinCandidate[]) =>
    libraries.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ));
  return (
    <Field label={t('library')}>
      {(ids) => (
        <Select
          {...ids}
          className="h-8!"
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {value === '' && <option value="">{t('choose')}</option>}
          {candidates.length > 0 && (
            <optgroup label={t('fitting')}>{optionsOf(candidates)}</optgroup>
          )}
          {others.length > 0 && <optgroup label={t('others')}>{optionsOf(others)}</optgroup>}
        </Select>
      )}
    </Field>
  );
}
