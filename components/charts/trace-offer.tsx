'use client';

import { useTranslations } from 'use-intl';
import { PageLink } from '@/components/ui/page-link';

/** Where waiters leave no trace in Redis: the way to what shows them all the same. */
export function TraceOffer({ className }: { className?: string }) {
  const t = useTranslations('charts');
  return (
    <p className={className}>
      {t.rich('traceOffer', {
        link: (words) => (
          <PageLink href="/traces" className="text-accent-ink underline underline-offset-2">
            {words}
          </PageLink>
        ),
      })}
    </p>
  );
}
