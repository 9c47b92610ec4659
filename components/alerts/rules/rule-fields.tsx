'use client';

import { useTranslations } from 'use-intl';
import { Checkbox, Field, Input, Select } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Rule } from '@/lib/protocol/rules';
import { writeDuration } from './duration-input';
import {
  mayAdapt,
  THRESHOLD_KINDS,
  type RuleErrors,
  type RuleField,
  type RuleForm,
} from './rule-form';
import { useThresholdText } from './threshold-text';

interface Props {
  rule: Rule;
  form: RuleForm;
  errors: RuleErrors;
  onChange: (form: RuleForm) => void;
}

/** What a rule says, each with the standard beside it. */
export function RuleFields({ rule, form, errors, onChange }: Props) {
  const t = useTranslations('rules');
  const labels = useTranslations('labels');
  const { standard } = rule;
  const text = (field: RuleField, hint?: string) => (
    <TextField
      field={field}
      hint={hint}
      value={form[field]}
      error={errors[field]}
      onChange={(value) => onChange({ ...form, [field]: value })}
    />
  );
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Checkbox
        className="sm:col-span-2"
        label={t('enabled')}
        checked={form.enabled}
        onChange={({ target }) => onChange({ ...form, enabled: target.checked })}
      />
      {rule.unit !== null && (
        <ThresholdFields rule={rule} form={form} onChange={onChange} text={text} />
      )}
      {text('forText', t('forHint', { standard: writeDuration(standard.forMs) }))}
      {text('keepText', t('keepHint', { standard: writeDuration(standard.keepFiringMs) }))}
      <Field label={t('severity')} hint={t('severityHint')}>
        {(ids) => (
          <Select
            {...ids}
            className="h-8!"
            value={form.severity ?? ''}
            onChange={({ target }) =>
              onChange({ ...form, severity: memberOf(SEVERITIES, target.value) ?? null })
            }
          >
            <option value="">{t('asFound')}</option>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {labels(`severities.${severity}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

interface ThresholdProps extends Omit<Props, 'errors'> {
  text: (field: RuleField, hint?: string) => React.ReactNode;
}

function ThresholdFields({ rule, form, onChange, text }: ThresholdProps) {
  const t = useTranslations('rules');
  const threshold = useThresholdText();
  const { unit, standard } = rule;
  const usual = t('thresholdHint', { standard: threshold(standard.threshold, unit) });
  return (
    <div className="flex flex-col gap-2 sm:col-span-2">
      {mayAdapt(unit) && (
        <SegmentedControl
          label={t('thresholdKind')}
          className="self-start"
          value={form.kind}
          options={THRESHOLD_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
          onChange={(kind) => onChange({ ...form, kind })}
        />
      )}
      {form.kind === 'static' || !mayAdapt(unit) ? (
        <div className="grid gap-3 sm:grid-cols-2">{text('valueText', usual)}</div>
      ) : (
        <>
          <p className="text-xs text-ink-3">{t('adaptiveText')}</p>
          <div className="grid gap-3 sm:grid-cols-3">
            {text('factorText')}
            {text('leastText')}
            {text('otherwiseText', usual)}
          </div>
        </>
      )}
    </div>
  );
}

interface TextProps {
  field: RuleField;
  hint: string | undefined;
  value: string;
  error: RuleErrors[RuleField];
  onChange: (value: string) => void;
}

function TextField({ field, hint, value, error, onChange }: TextProps) {
  const t = useTranslations('rules');
  return (
    <Field label={t(`fields.${field}`)} hint={hint} error={error && t(`wrong.${error}`)}>
      {(ids) => (
        <Input
          {...ids}
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
