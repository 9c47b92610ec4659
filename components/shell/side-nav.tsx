'use client';

import { useTranslations } from 'use-intl';
import { Logo } from './logo';
import { NavLinks } from './nav-links';

/** The navigation from `md` on: icons alone up to `lg`. */
export function SideNav() {
  const t = useTranslations('shell');
  return (
    <nav
      aria-label={t('navigation')}
      className="flex w-13 shrink-0 flex-col gap-3 overflow-y-auto border-r border-line bg-surface px-2 py-2.5 max-md:hidden lg:w-48"
    >
      <div className="flex h-7 items-center gap-2 px-1.5 max-lg:justify-center max-lg:px-0">
        <Logo />
        <span className="text-base font-semibold tracking-tight max-lg:sr-only">
          {t('product')}
        </span>
      </div>
      <NavLinks collapses />
    </nav>
  );
}
