'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useAlertCodeOptions } from '@/components/labels';
import { Field, Input, Select } from '@/components/ui/field';
import type { AlertPage } from '@/lib/protocol/alert';
import { ALERT_CODES, memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Matcher } from '@/lib/protocol/rules';

interface Props {
  matcher: Matcher;
  /** What open alerts are about: suggestions. */
  groups: AlertPage['groups'];
  onChange: (matcher: Matcher) => void;
}

const TEXTS = ['class', 'namespace', 'owner', 'key'] as const;

/** What a silence is for. All that is given must fit. */
export function MatcherFields({ matcher, groups, onChange }: Props) {
  const t = useTranslations('alerts.silences');
  const labels = useTranslations('labels');
  const codes = useAlertCodeOptions();
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
      {TEXTS.map((name) => (
        <TextField
          key={name}
          label={t(`fields.${name}`)}
          hint={t(`hints.${name}`)}
          value={matcher[name] ?? ''}
          suggestions={name === 'key' ? [] : (groups?.[name] ?? []).map((group) => group.name)}
          onChange={(value) => put(name, value === '' ? undefined : value)}
        />
      ))}
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

interface TextProps {
  label: string;
  hint: string;
  value: string;
  suggestions: readonly (string | null)[];
  onChange: (value: string) => void;
}

function TextField({ label, hint, value, suggestions, onChange }: TextProps) {
  const list = useId();
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <>
          <Input
            {...ids}
            dir="ltr"
            className="font-mono"
            list={list}
            maxLength={1000}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {suggestions.map(
              (suggestion) =>
                suggestion !== null &&
                suggestion !== '' && (
                  <option key={suggestion} value={suggestion}>
                    {suggestion}
                  </option>
                ),
            )}
          </datalist>
        </>
      )}
    </Field>
  );
}
