'use client';

import { Timer } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import { useSaid } from '@/components/labels';
import { useLive, useSession } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PublishDialog } from './publish-dialog';
import { OtherTimeouts, SilentTimeouts } from './timeout-tables';
import { TimeoutBasis, RetryNotice } from './timeout-basis';
import { TimeoutCard } from './timeout-card';

const STRIKING: readonly TimeoutAdvice['verdict'][] = ['too-short', 'too-long'];

/** For how long each class should be leased; those whose lease is far off first. */
export function TimeoutAdviceList() {
  const answer = useLive('timeouts', {});
  return (
    <LiveData snapshot={answer} ofRedis>
      {(page) => <Timeouts page={page} />}
    </LiveData>
  );
}

/** All of an answer. */
export function Timeouts({ page }: { page: TimeoutsPage }) {
  const t = useTranslations('advice.timeouts');
  const isAdmin = useSession()?.role === 'admin';
  const [publishing, setPublishing] = useState<'all' | TimeoutAdvice | null>(null);
  const striking = page.items.filter(({ verdict }) => STRIKING.includes(verdict));
  const others = page.items.filter(({ verdict }) => !STRIKING.includes(verdict));
  const mayPublish = page.items.some(({ publish }) => publish !== null) || page.stale.length > 0;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <TimeoutBasis page={page} />
        {mayPublish && (
          <Button
            disabled={!isAdmin}
            title={isAdmin ? undefined : t('publishNeedsAdmin')}
            onClick={() => setPublishing('all')}
          >
            {t('publishAll')}
          </Button>
        )}
      </div>
      <Notices page={page} />
      {page.items.length === 0 && <NoTimeouts />}
      {striking.map((advice) => (
        <TimeoutCard
          key={`${advice.namespace}\n${advice.class}`}
          advice={advice}
          onPublish={isAdmin ? () => setPublishing(advice) : undefined}
        />
      ))}
      {others.length > 0 && (
        <OtherTimeouts items={others} onPublish={isAdmin ? setPublishing : undefined} />
      )}
      {page.silent.length > 0 && <SilentTimeouts silent={page.silent} />}
      {page.leftOut > 0 && (
        <p className="text-sm text-ink-3">{t('leftOut', { count: page.leftOut })}</p>
      )}
      {publishing !== null && (
        <PublishDialog page={page} what={publishing} onClose={() => setPublishing(null)} />
      )}
    </div>
  );
}

function Notices({ page }: { page: TimeoutsPage }) {
  const t = useTranslations('advice.timeouts');
  const said = useSaid();
  const { unreadable, stale, retry } = page;
  return (
    <>
      {unreadable && (
        <Notice tone="warning" title={t('unreadable')}>
          {said(unreadable.sentences, unreadable.message)}
        </Notice>
      )}
      {stale.length > 0 && <Notice>{t('stale', { count: stale.length })}</Notice>}
      <RetryNotice retry={retry} />
    </>
  );
}

function NoTimeouts() {
  const t = useTranslations('advice.timeouts');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState icon={<Timer size={22} aria-hidden />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}
