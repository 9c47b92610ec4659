'use client';

import dynamic from 'next/dynamic';
import { Keyboard } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { LossProvider } from '@/components/live/loss';
import { IconButton } from '@/components/ui/icon-button';
import { PageSlot, PageSlots } from '@/components/ui/page-slots';
import { AlertCounts } from './alert-counts';
import { ConnectionBanner } from './connection-banner';
import { MobileNav } from './mobile-nav';
import { SideNav } from './side-nav';
import { TargetStrip } from './target-strip';
import { ThemeToggle } from './theme-toggle';
import { UserMenu } from './user-menu';
import { useShortcuts } from './use-shortcuts';

// Seldom needed, and large: loaded when it is first opened.
const ShortcutList = dynamic(
  () => import('./shortcut-list').then((module) => module.ShortcutList),
  { ssr: false },
);

const CONTENT_ID = 'content';

/** The frame of every signed-in page. The content area scrolls; the frame stays. */
export function ConsoleShell({ children }: { children: ReactNode }) {
  return (
    <PageSlots>
      <Frame>{children}</Frame>
    </PageSlots>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const t = useTranslations('shell');
  const [helpOpen, setHelpOpen] = useState(false);
  useShortcuts(useCallback(() => setHelpOpen(true), []));
  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('skipToContent')}
      </a>
      <SideNav />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-surface px-3">
          <MobileNav />
          <TargetStrip />
          <div className="ml-auto flex shrink-0 items-center gap-1">
            <PageSlot name="tools" className="empty:hidden" />
            <span className="mr-1 md:hidden">
              <AlertCounts />
            </span>
            <span className="max-md:hidden">
              <IconButton
                label={t('shortcuts.show')}
                icon={<Keyboard size={15} aria-hidden />}
                onClick={() => setHelpOpen(true)}
              />
            </span>
            <ThemeToggle />
            <UserMenu />
          </div>
        </header>
        <LossProvider>
          <ConnectionBanner />
          <PageSlot name="bar" className="shrink-0 empty:hidden" />
          <main
            id={CONTENT_ID}
            // Positioned, so that text for screen readers far down does not lengthen the document behind it.
            // It scrolls, and some pages hold nothing else that takes the focus.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2"
          >
            {children}
          </main>
        </LossProvider>
      </div>
      {helpOpen && <ShortcutList onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
