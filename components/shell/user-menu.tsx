'use client';

import { Menu } from '@base-ui/react/menu';
import { CircleUser } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { signOut } from './auth-requests';

const ITEM =
  'flex h-8 w-full items-center rounded px-2 text-left text-sm outline-none data-[highlighted]:bg-sunken';

/** Who is signed in and as what, and the way out. */
export function UserMenu() {
  const t = useTranslations('shell.user');
  const roles = useTranslations('labels.roles');
  const session = useSession();
  const [failed, setFailed] = useState(false);
  if (!session) return null;
  const leave = async () => {
    const left = await signOut();
    setFailed(!left);
    if (left) window.location.assign('/sign-in');
  };
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('menu', { name: session.name })}
        className="inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md px-1.5 text-xs text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <CircleUser size={15} aria-hidden className="shrink-0" />
        <span className="max-w-40 truncate max-lg:hidden">{session.name}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-50">
          <Menu.Popup className="w-60 rounded-lg border border-line-strong bg-raised p-1 text-ink shadow-pop outline-none">
            <div className="border-b border-line px-2 pt-1.5 pb-2">
              <p className="truncate text-sm font-medium" title={session.name}>
                {session.name}
              </p>
              <p className="text-xs text-ink-3">{roles(session.role)}</p>
            </div>
            <div className="pt-1">
              <Menu.LinkItem render={<Link href="/settings" />} closeOnClick className={ITEM}>
                {t('settings')}
              </Menu.LinkItem>
              <Menu.Item closeOnClick={false} onClick={() => void leave()} className={ITEM}>
                {t('signOut')}
              </Menu.Item>
            </div>
            {failed && (
              <p role="alert" className="px-2 py-1.5 text-xs text-critical">
                {t('signOutFailed')}
              </p>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
