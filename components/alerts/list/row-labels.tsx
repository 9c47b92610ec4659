'use client';

import { useTranslations } from 'use-intl';
import { KeyText } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import type { Alert } from '@/lib/protocol/alert';
import { LABEL_FILTERS } from './alert-view';

/** What the alert is grouped and silenced by; each leads to the others that have it. */
export function RowLabels({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const { labels } = alert;
  const known = LABEL_FILTERS.flatMap((name) => {
    const value = labels?.[name];
    return value == null || value === '' ? [] : [{ name, value }];
  });
  if (known.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {known.map(({ name, value }) => (
        <div key={name} className="flex min-w-0 max-w-full items-baseline gap-1.5">
          <dt className="text-ink-3">{t(`filters.${name}`)}</dt>
          <dd className="min-w-0 sm:max-w-80">
            <PageLink
              href={`/alerts?${new URLSearchParams({ [name]: value }).toString()}`}
              className="flex min-w-0 text-accent-ink hover:underline"
            >
              <KeyText text={value} />
            </PageLink>
          </dd>
        </div>
      ))}
    </dl>
  );
}
