'use client';

import { Dialog } from '@base-ui/react/dialog';
import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Logo } from './logo';
import { NavLinks } from './nav-links';

const BUTTON =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink';

/** The navigation of phones: a sheet from the left. */
export function MobileNav() {
  const t = useTranslations('shell');
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label={t('openMenu')} className={`${BUTTON} -ml-2 md:hidden`}>
        <Menu size={17} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.1_0.02_265/0.5)]" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] flex-col gap-3 border-r border-line bg-surface p-3 shadow-pop outline-none">
          <div className="flex items-center gap-2">
            <Logo />
            <Dialog.Title className="flex-1 text-base font-semibold">{t('product')}</Dialog.Title>
            <Dialog.Close aria-label={t('closeMenu')} className={BUTTON}>
              <X size={16} aria-hidden />
            </Dialog.Close>
          </div>
          <nav aria-label={t('navigation')}>
            <NavLinks onFollow={() => setOpen(false)} />
          </nav>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
