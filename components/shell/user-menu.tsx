'use client';

import { CircleUser } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import type { Role } from '@/lib/protocol/actions';
import { signOut } from './auth-requests';

const ITEM =
  'flex h-8 w-full items-center rounded px-2 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-1';

/** Who is signed in and as what, and the way out. The browser opens and closes it. */
export function UserMenu() {
  const t = useTranslations('shell.user');
  const session = useSession();
  const id = useId();
  if (!session) return null;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={t('menu', { name: session.name })}
        className="inline-flex h-7 min-w-0 items-center gap-1.5 rounded-md px-1.5 text-xs text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <CircleUser size={15} aria-hidden className="shrink-0" />
        <span className="max-w-40 truncate max-lg:hidden">{session.name}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed inset-auto top-11 right-2 m-0 w-60 rounded-lg border border-line-strong bg-raised p-1 text-ink shadow-pop"
      >
        <Identity name={session.name} role={session.role} />
        <PageLink
          href="/settings"
          onClick={() => document.getElementById(id)?.hidePopover()}
          className={ITEM}
        >
          {t('settings')}
        </PageLink>
        <SignOut />
      </div>
    </>
  );
}

function Identity({ name, role }: { name: string; role: Role }) {
  const roles = useTranslations('labels.roles');
  return (
    <div className="mb-1 border-b border-line px-2 pt-1.5 pb-2">
      <p className="truncate text-sm font-medium" title={name}>
        {name}
      </p>
      <p className="text-xs text-ink-3">{roles(role)}</p>
    </div>
  );
}

function SignOut() {
  const t = useTranslations('shell.user');
  const [failed, setFailed] = useState(false);
  const leave = async () => {
    const left = await signOut();
    setFailed(!left);
    if (left) window.location.assign('/sign-in');
  };
  return (
    <>
      <button type="button" onClick={() => void leave()} className={ITEM}>
        {t('signOut')}
      </button>
      {failed && (
        <p role="alert" className="px-2 py-1.5 text-xs text-critical">
          {t('signOutFailed')}
        </p>
      )}
    </>
  );
}
