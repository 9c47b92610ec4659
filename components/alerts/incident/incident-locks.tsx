'use client';

import { useTranslations } from 'use-intl';
import { AlertCodeLabel, alertHref, KeyText, lockHref, targetHref } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import { lockCountOf } from '@/lib/analysis/alert-locks';
import type { Alert } from '@/lib/protocol/alert';

const LINK = 'text-accent-ink hover:underline';

/** The locks it is about, as they are and as they were when it began; the deadlock they are in. */
export function IncidentLocks({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  const { locks, deadlockId, kind, label } = alert.subject;
  const isOfOrders = alert.code === 'order-inversion';
  const count = lockCountOf(alert);
  const left = count - locks.length;
  return (
    <Panel
      title={t('about')}
      aside={count > 1 && <span className="text-xs text-ink-3">{count}</span>}
      flush
    >
      <ul className="max-h-80 divide-y divide-line overflow-y-auto text-sm">
        {locks.map((lock) => (
          <li
            key={`${lock.db}:${lock.keyB64}`}
            className="flex min-w-0 flex-wrap items-baseline gap-x-3 px-3 py-1.5"
          >
            <span className="flex min-w-0 flex-1">
              <KeyText text={lock.key} lock={{ target: alert.target, ...lock }} />
            </span>
            <PageLink
              href={lockHref({ target: alert.target, ...lock }, alert.since)}
              className={`shrink-0 text-xs ${LINK}`}
            >
              {t('asItWas')}
              <span className="sr-only"> {t('thenOf', { key: lock.key })}</span>
            </PageLink>
          </li>
        ))}
        {left > 0 && locks.length > 0 && (
          <li className="px-3 py-1.5 text-xs text-ink-3">{t('more', { count: left })}</li>
        )}
        {locks.length === 0 && (
          <li className="px-3 py-2">
            {kind === 'target' ? (
              <PageLink href={targetHref(alert)} className={LINK}>
                {label}
              </PageLink>
            ) : kind === 'class' ? (
              <PageLink
                href={`/locks?${new URLSearchParams({ class: label }).toString()}`}
                className={`flex min-w-0 ${LINK}`}
              >
                <KeyText text={label} />
              </PageLink>
            ) : (
              <KeyText text={label} full />
            )}
          </li>
        )}
      </ul>
      {(deadlockId !== null || alert.partOf != null) && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-sm">
          {deadlockId !== null && (
            <>
              <PageLink
                href={`/deadlocks?deadlock=${encodeURIComponent(deadlockId)}`}
                className={`font-medium ${LINK}`}
              >
                {t(isOfOrders ? 'orders' : 'deadlock')}
              </PageLink>
              {!isOfOrders && (
                <PageLink href={`/deadlocks?at=${alert.since}`} className={LINK}>
                  {t('deadlockThen')}
                </PageLink>
              )}
            </>
          )}
          {alert.partOf != null && (
            <PageLink href={alertHref({ id: alert.partOf })} className={`font-medium ${LINK}`}>
              {t('partOf')} <AlertCodeLabel code="deadlock" />
            </PageLink>
          )}
        </p>
      )}
    </Panel>
  );
}
