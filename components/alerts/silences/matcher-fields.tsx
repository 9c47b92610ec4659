'use client';

import { useTranslations } from 'use-intl';
import { useAlertCodeOptions } from '@/components/labels';
import { useKnownNames } from '@/components/forms/known-names';
import { NameField } from '@/components/forms/name-field';
import { Field, Input, Select } from '@/components/ui/field';
import { ALERT_CODES, memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Matcher } from '@/lib/protocol/rules';

interface Props {
  matcher: Matcher;
  onChange: (matcher: Matcher) => void;
}

const NAMES = ['class', 'namespace', 'owner'] as const;
const LONGEST = { class: 4000, namespace: 1000, owner: 1000 };

/** What a silence is for. All that is given must fit. */
export function MatcherFields({ matcher, onChange }: Props) {
  const t = useTranslations('silences');
  const labels = useTranslations('labels');
  const codes = useAlertCodeOptions();
  const known = useKnownNames();
  const put = <Name extends keyof Matcher>(name: Name, value: Matcher[Name] | undefined): void => {
    const { [name]: _, ...others } = matcher;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Choice
        label={t('fields.code')}
        any={t('any')}
        value={matcher.code}
        options={codes}
        onChange={(value) => put('code', memberOf(ALERT_CODES, value))}
      />
      <Choice
        label={t('fields.severity')}
        any={t('any')}
        value={matcher.severity}
        options={SEVERITIES.map((severity) => [severity, labels(`severities.${severity}`)])}
        onChange={(value) => put('severity', memberOf(SEVERITIES, value))}
      />
      {NAMES.map((name) => (
        <NameField
          key={name}
          label={t(`fields.${name}`)}
          hint={t(`hints.${name}`)}
          value={matcher[name]}
          known={known[name]}
          maxLength={LONGEST[name]}
          onChange={(value) => put(name, value)}
        />
      ))}
      <Field label={t('fields.key')} hint={t('hints.key')}>
        {(ids) => (
          <Input
            {...ids}
            dir="ltr"
            className="font-mono"
            maxLength={4000}
            autoComplete="off"
            spellCheck={false}
            value={matcher.key ?? ''}
            onChange={({ target }) => put('key', target.value === '' ? undefined : target.value)}
          />
        )}
      </Field>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

const Choice = ({ label, any, value, options, onChange }: ChoiceProps) => (
  <Field label={label}>
    {(ids) => (
      <Select
        {...ids}
        className="h-8!"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{any}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
