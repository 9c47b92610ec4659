'use client';

import { useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import { Figure, KeyText, useFormatName } from '@/components/labels';

/** The classes whose waits nobody can know, and why: named, so that they are not read as calm. */
export function NotObservable({ classes }: { classes: Waits['notObservable'] }) {
  const t = useTranslations('waits');
  const nameOf = useFormatName();
  if (classes.length === 0) return <p className="text-sm text-ink-2">{t('allObservable')}</p>;
  return (
    <>
      <p className="mb-2 text-sm text-ink-2">{t('notObservableText')}</p>
      <ul className="flex max-h-60 flex-col gap-1.5 overflow-y-auto text-sm">
        {classes.map((each) => (
          <li key={each.class} className="flex min-w-0 items-baseline gap-2">
            <Figure evidence="unknown">{null}</Figure>
            <KeyText text={each.class} />
            <span className="ml-auto shrink-0 text-xs text-ink-3">
              {each.formats.map(nameOf).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
