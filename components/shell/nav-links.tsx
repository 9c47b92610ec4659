'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { AlertCounts } from './alert-counts';
import { isCurrent, NAV_ITEMS } from './nav-items';

interface Props {
  /** Shows icons alone on middling widths. */
  collapses?: boolean;
  onFollow?: () => void;
}

export function NavLinks({ collapses = false, onFollow }: Props) {
  const t = useTranslations('shell');
  const pathname = usePathname();
  const wide = collapses ? 'max-lg:sr-only' : undefined;
  return (
    <ul className="flex flex-col gap-0.5">
      {NAV_ITEMS.map((item) => {
        const current = isCurrent(item, pathname);
        const Icon = item.icon;
        return (
          <li key={item.page}>
            <PageLink
              href={item.href}
              aria-current={current ? 'page' : undefined}
              title={collapses ? t(`pages.${item.page}`) : undefined}
              onClick={onFollow}
              className={clsx(
                'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm focus-visible:-outline-offset-1',
                collapses && 'max-lg:justify-center max-lg:px-0',
                current
                  ? 'bg-accent-soft font-medium text-accent-ink'
                  : 'text-ink-2 hover:bg-sunken hover:text-ink',
              )}
            >
              <Icon size={15} aria-hidden className="shrink-0" />
              <span className={wide}>{t(`pages.${item.page}`)}</span>
              {item.page === 'alerts' && (
                <span className={clsx('ml-auto', collapses && 'max-lg:hidden')}>
                  <AlertCounts />
                </span>
              )}
            </PageLink>
          </li>
        );
      })}
    </ul>
  );
}
