'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Checkbox, Field, Input } from '@/components/ui/field';
import type { NamePattern } from '@/lib/protocol/name-pattern';
import { fittingNames } from './fitting-names';

const SUGGESTED = 200;

interface Props {
  label: string;
  hint: string;
  value: NamePattern | undefined;
  /** Names that are there now: suggested, and counted where they fit. */
  known: readonly string[];
  maxLength: number;
  onChange: (value: NamePattern | undefined) => void;
}

const textOf = (value: NamePattern | undefined): string =>
  typeof value === 'string' ? value : (value?.glob ?? '');

/** A name, or a pattern over names where that is ticked: a name may have a star in it. */
export function NameField({ label, hint, value, known, maxLength, onChange }: Props) {
  const ui = useTranslations('ui.fitting');
  const list = useId();
  const [isPattern, setIsPattern] = useState(typeof value === 'object');
  const text = textOf(value);
  const change = (typed: string, asPattern: boolean): void =>
    onChange(typed === '' ? undefined : asPattern ? { glob: typed } : typed);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Field
        label={label}
        hint={<NameNote value={value} known={known} hint={isPattern ? ui('glob') : hint} />}
      >
        {(ids) => (
          <>
            <Input
              {...ids}
              dir="ltr"
              className="font-mono"
              list={isPattern ? undefined : list}
              maxLength={maxLength}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={({ target }) => change(target.value, isPattern)}
            />
            <datalist id={list}>
              {known.slice(0, SUGGESTED).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Checkbox
        className="text-xs! text-ink-2"
        aria-label={ui('asPatternOf', { field: label })}
        label={ui('asPattern')}
        checked={isPattern}
        onChange={({ target }) => {
          setIsPattern(target.checked);
          change(text, target.checked);
        }}
      />
    </div>
  );
}

/** What of the names that are there now fits. */
function NameNote({ value, known, hint }: Pick<Props, 'value' | 'known' | 'hint'>) {
  const ui = useTranslations('ui.fitting');
  if (value === undefined) return hint;
  const { names, count, more } = fittingNames([value], known);
  if (typeof value === 'object') return ui('names', { count, names, more });
  if (count > 0) return hint;
  const asPattern = fittingNames([{ glob: value }], known);
  return asPattern.count > 0 ? ui('onlyAsPattern', asPattern) : ui('noName');
}
