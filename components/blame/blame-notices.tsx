'use client';

import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { TraceOffer } from '@/components/charts/trace-offer';
import { KeyText } from '@/components/labels';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import type { Blame } from '@/lib/protocol/measures';

const NAMED = 8;

/** What is missing in the figures below, and why: said first, so that nobody takes it for calm. */
export function BlameNotices({ data }: { data: Blame }) {
  const t = useTranslations('blame');
  const { notObservable, gaps } = data;
  return (
    <>
      {notObservable.length > 0 && (
        <Notice title={t('notObservable', { count: notObservable.length })}>
          <p>{t('notObservableText')}</p>
          <ul className="mt-1 flex min-w-0 flex-wrap gap-x-3 gap-y-0.5">
            {notObservable.slice(0, NAMED).map((name) => (
              <li key={name} className="flex max-w-full min-w-0">
                <KeyText text={name} />
              </li>
            ))}
            {notObservable.length > NAMED && (
              <li>{t('notObservableMore', { count: notObservable.length - NAMED })}</li>
            )}
          </ul>
          <TraceOffer className="mt-1" />
        </Notice>
      )}
      {gaps.length > 0 && <Notice tone="warning">{t('gaps', { count: gaps.length })}</Notice>}
    </>
  );
}

/** No waiting is no proof of calm where some of it cannot be seen. */
export function NoBlame({ data }: { data: Blame }) {
  const t = useTranslations('blame');
  const isBlind =
    data.notObservable.length > 0 || data.gaps.length > 0 || data.evidence === 'unknown';
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState
          icon={<Users size={22} aria-hidden />}
          title={t(isBlind ? 'nothingBlind' : 'nothing')}
        >
          {t(isBlind ? 'nothingBlindText' : 'nothingText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}
