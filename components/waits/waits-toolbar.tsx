'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input, Select } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { RANGE_NAMES, type WaitsView } from './waits-view';

interface Props {
  view: WaitsView;
  /** Classes with anything in the range; the chosen one is offered even without. */
  classes: readonly string[];
  onChange: (changes: Record<string, string | null>, how?: 'push' | 'replace') => void;
}

const SHOWN_CHARACTERS = 60;

export function WaitsToolbar({ view, classes, onChange }: Props) {
  const t = useTranslations('waits');
  const offered =
    classes.includes(view.class) || view.class === '' ? classes : [view.class, ...classes];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label={t('range')}
        value={view.range}
        options={RANGE_NAMES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
        onChange={(range) => onChange({ range: range === '1h' ? null : range })}
      />
      <Select
        aria-label={t('class')}
        className="w-auto! max-w-64"
        value={view.class}
        onChange={(event) => onChange({ class: event.target.value })}
      >
        <option value="">{t('allClasses')}</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {name.slice(0, SHOWN_CHARACTERS)}
          </option>
        ))}
      </Select>
      <Input
        aria-label={t('key')}
        placeholder={`${t('key')} (${t('keyHint')})`}
        className="h-7! w-72! font-mono text-xs!"
        value={view.key}
        onChange={(event) => onChange({ key: event.target.value }, 'replace')}
      />
      {(view.class !== '' || view.key !== '') && (
        <Button look="ghost" onClick={() => onChange({ class: null, key: null })}>
          {t('clear')}
        </Button>
      )}
    </div>
  );
}
