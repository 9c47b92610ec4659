'use client';

import { clsx } from 'clsx';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { PageLink } from '@/components/ui/page-link';

const TABS = [
  { name: 'list', href: '/alerts' },
  { name: 'rules', href: '/alerts/rules' },
  { name: 'silences', href: '/alerts/silences' },
] as const;

/** The pages about alerts. An incident belongs to the list. */
export function AlertTabs() {
  const t = useTranslations('alerts.tabs');
  const pathname = usePathname();
  const current = TABS.findLast(({ href }) => pathname.startsWith(href))?.name ?? 'list';
  return (
    <nav
      aria-label={t('label')}
      className="mx-auto flex w-full max-w-[88rem] gap-1 px-3 pt-2 md:px-4"
    >
      {TABS.map(({ name, href }) => (
        <PageLink
          key={name}
          href={href}
          aria-current={name === current ? 'page' : undefined}
          className={clsx(
            'border-b-2 px-2 py-1.5 text-sm',
            name === current
              ? 'border-accent font-medium text-ink'
              : 'border-transparent text-ink-2 hover:border-line-strong hover:text-ink',
          )}
        >
          {t(name)}
        </PageLink>
      ))}
    </nav>
  );
}
