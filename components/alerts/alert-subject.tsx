'use client';

import { useTranslations } from 'use-intl';
import { alertHref, KeyText, targetHref } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import { lockCountOf } from '@/lib/analysis/alert-locks';
import type { Alert, AlertCode } from '@/lib/protocol/alert';

/** Only a trace sees what they tell of. */
const FROM_TRACES: readonly AlertCode[] = ['retry-storm', 'hot-client'];

/** Of one thing the summary goes on after its name; of several it says itself what they have in common. */
export const isOfOneThing = ({ subject: { kind } }: Alert): boolean =>
  kind === 'lock' || kind === 'class';

interface Props {
  alert: Alert;
  /** How many locks are named; the rest are a number. */
  most: number;
}

/** What an alert is about, with the way there. */
export function AlertSubjectLinks({ alert, most }: Props) {
  const t = useTranslations('alerts');
  const { locks, deadlockId, kind, label } = alert.subject;
  const shown = locks.slice(0, most);
  const left = lockCountOf(alert) - shown.length;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {shown.map((lock) => (
        <span key={`${lock.db}:${lock.keyB64}`} className="flex max-w-full min-w-0 sm:max-w-md">
          <KeyText text={lock.key} lock={{ target: alert.target, ...lock }} />
        </span>
      ))}
      {kind === 'class' && (
        <PageLink
          href={`/locks?${new URLSearchParams({ class: label }).toString()}`}
          className="flex min-w-0 text-accent-ink hover:underline"
        >
          <KeyText text={label} />
        </PageLink>
      )}
      {left > 0 && shown.length > 0 && kind !== 'deadlock' && (
        <span className="text-xs text-ink-3">{t('moreLocks', { count: left })}</span>
      )}
      {kind === 'target' && (
        <PageLink href={targetHref(alert)} className="text-accent-ink hover:underline">
          {t('showTarget')}
        </PageLink>
      )}
      {deadlockId !== null && (
        <PageLink
          href={`/deadlocks?deadlock=${encodeURIComponent(deadlockId)}`}
          className="font-medium text-accent-ink hover:underline"
        >
          {t(alert.code === 'order-inversion' ? 'showOrders' : 'showDeadlock')}
        </PageLink>
      )}
      {alert.partOf != null && (
        <PageLink
          href={alertHref({ id: alert.partOf })}
          className="font-medium text-accent-ink hover:underline"
        >
          {t('partOfDeadlock')}
        </PageLink>
      )}
      {FROM_TRACES.includes(alert.code) && (
        <PageLink href="/traces" className="text-accent-ink hover:underline">
          {t('showTraces')}
        </PageLink>
      )}
    </div>
  );
}
