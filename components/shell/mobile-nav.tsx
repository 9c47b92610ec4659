'use client';

import { Menu, X } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Logo } from './logo';
import { NavLinks } from './nav-links';

const BUTTON =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink';

/** The navigation of phones: a sheet from the left, opened and closed by the browser. */
export function MobileNav() {
  const t = useTranslations('shell');
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={t('openMenu')}
        className={`${BUTTON} -ml-2 md:hidden`}
      >
        <Menu size={17} aria-hidden />
      </button>
      <nav
        id={id}
        popover="auto"
        aria-label={t('navigation')}
        className="fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-64 max-w-[85vw] border-r border-line bg-surface p-3 text-ink shadow-pop backdrop:bg-[oklch(0.1_0.02_265/0.5)]"
      >
        <div className="mb-3 flex items-center gap-2">
          <Logo />
          <p className="flex-1 text-base font-semibold">{t('product')}</p>
          <button
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            aria-label={t('closeMenu')}
            className={BUTTON}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
        <NavLinks onFollow={() => document.getElementById(id)?.hidePopover()} />
      </nav>
    </>
  );
}
