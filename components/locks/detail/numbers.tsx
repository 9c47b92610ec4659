'use client';

import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

export interface NumberItem {
  id: string;
  label: ReactNode;
  /** Null = the number is written nowhere. */
  value: number | null;
}

/** Numbers side by side; one that Redis does not have is said to be missing and is no zero. */
export function Numbers({ items }: { items: NumberItem[] }) {
  const t = useTranslations('lock.permits');
  const format = useFormatter();
  return (
    <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-md border border-line bg-line">
      {items.map(({ id, label, value }) => (
        <div key={id} className="min-w-0 bg-surface px-3 py-2">
          <dt className="text-xs text-ink-3">{label}</dt>
          <dd>
            {value === null ? (
              <span className="hatched inline-block rounded-sm border border-line-strong px-1.5 text-xs text-ink-2">
                {t('notStored')}
              </span>
            ) : (
              <span className="text-xl font-semibold tracking-tight">{format.number(value)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
