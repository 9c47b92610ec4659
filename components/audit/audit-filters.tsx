'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { isFiltered, type AuditView } from './audit-view';

interface Props {
  view: AuditView;
  onChange: (changes: Record<string, string>) => void;
  onClear: () => void;
}

const TIMES = ['from', 'to'] as const;

/** Typing filters at once; the address follows without filling the history. */
export function AuditFilters({ view, onChange, onClear }: Props) {
  const t = useTranslations('audit');
  return (
    <div className="flex flex-wrap items-end gap-2">
      <label className="w-40 text-xs text-ink-2 max-sm:flex-1">
        {t('actor')}
        <Input
          className="mt-0.5"
          value={view.actor}
          placeholder={t('anyActor')}
          maxLength={200}
          onChange={(event) => onChange({ actor: event.target.value })}
        />
      </label>
      <label className="w-64 text-xs text-ink-2 max-sm:w-full">
        {t('key')}
        <Input
          className="mt-0.5 font-mono"
          value={view.key}
          placeholder={t('anyKey')}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      </label>
      {TIMES.map((name) => (
        <label key={name} className="text-xs text-ink-2 max-sm:flex-1">
          {t(name)}
          <Input
            className="mt-0.5"
            type="datetime-local"
            value={view[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        </label>
      ))}
      {isFiltered(view) && (
        <Button look="ghost" size="md" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </div>
  );
}
