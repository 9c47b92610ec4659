'use client';

import dynamic from 'next/dynamic';
import { clsx } from 'clsx';
import { SearchX, Unlock } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLive, useSession } from '@/components/hooks';
import { OfRedis } from '@/components/live/loss';
import { ErrorText, useSaid } from '@/components/labels';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ErrorBody } from '@/lib/protocol/errors';
import type { LockDetail } from '@/lib/protocol/lock';
import type { LockParams } from '@/lib/protocol/queries';
import { AlertsPanel } from './alerts-panel';
import { CommandsPanel } from './commands-panel';
import { HistoryPanel } from './history-panel';
import { HolderPanel } from './holder-panel';
import { LibraryPanel } from './library-panel';
import { LockHeader } from './lock-header';
import { RawValuePanel } from './raw-value-panel';
import { WaitersPanel } from './waiters-panel';

// Seldom needed, and large: loaded when it is first opened.
const ReleaseDialog = dynamic(
  () => import('@/components/locks/release/release-dialog').then((module) => module.ReleaseDialog),
  { ssr: false },
);

/** One lock, live: who holds it, who waits, what was before, and the way to release it. */
export function LockView({ address }: { address: LockParams }) {
  const { data, state, error } = useLive('lock', address);
  if (!data) return error ? <LockFailed error={error} /> : <LockLoading />;
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4 p-3 md:p-4">
      {error && (
        <Notice tone="warning" role="alert">
          <ErrorText error={error} />
        </Notice>
      )}
      <OfRedis>
        <LockHeader lock={data} actions={<ReleaseAction lock={data} />} />
      </OfRedis>
      <OfRedis
        className={clsx(
          'grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]',
          state === 'stale' && 'stale',
        )}
      >
        <div className="flex min-w-0 flex-col gap-4">
          <AlertsPanel lock={data} />
          <HolderPanel lock={data} />
          <WaitersPanel lock={data} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <LibraryPanel lock={data} />
          <RawValuePanel raw={data.raw} />
          <CommandsPanel commands={data.commands} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          <HistoryPanel lock={data} />
        </div>
      </OfRedis>
    </div>
  );
}

function ReleaseAction({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock');
  const session = useSession();
  const say = useSaid();
  const [isOpen, setIsOpen] = useState(false);
  const refusal =
    lock.cannotReleaseBecause === null
      ? undefined
      : say(lock.sentences?.cannotReleaseBecause, lock.cannotReleaseBecause);
  const because = session?.role === 'viewer' ? t('viewerCannot') : refusal;
  return (
    <div className="flex max-w-sm flex-col gap-1 sm:items-end sm:text-right">
      <Button
        look="danger"
        size="md"
        icon={<Unlock size={14} aria-hidden />}
        disabled={!session || !lock.canRelease || because !== undefined}
        onClick={() => setIsOpen(true)}
      >
        {t('release')}
      </Button>
      {because && <p className="text-xs text-ink-2">{because}</p>}
      {isOpen && <ReleaseDialog lock={lock} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function LockLoading() {
  const t = useTranslations('ui');
  return <SkeletonRows rows={12} label={t('loading')} />;
}

function LockFailed({ error }: { error: ErrorBody['error'] }) {
  const t = useTranslations('lock');
  return (
    <EmptyState
      isPage
      icon={<SearchX size={26} aria-hidden />}
      title={error.code === 'NOT_FOUND' ? t('notFoundTitle') : t('failedTitle')}
      actions={
        <PageLink href="/locks" className={buttonClass()}>
          {t('toLocks')}
        </PageLink>
      }
    >
      <ErrorText error={error} />
    </EmptyState>
  );
}

/** For an address that cannot be any lock's. */
export function BadLockAddress() {
  const t = useTranslations('lock');
  return (
    <EmptyState
      isPage
      icon={<SearchX size={26} aria-hidden />}
      title={t('badAddressTitle')}
      actions={
        <PageLink href="/locks" className={buttonClass()}>
          {t('toLocks')}
        </PageLink>
      }
    >
      {t('badAddress')}
    </EmptyState>
  );
}
