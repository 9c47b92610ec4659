'use client';

import { CircleCheck } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import type { Alert } from '@/lib/protocol/alert';
import type { Overview } from '@/lib/protocol/measures';
import { useLoss } from '@/components/live/loss';
import {
  AlertCodeLabel,
  alertHref,
  AlertMarks,
  AlertStateBadge,
  Elapsed,
  KeyText,
  SeverityIcon,
  useSaid,
} from '@/components/labels';
import { worstFirst } from './alert-order';
import { BUSIEST_ID } from './busiest-classes';

interface Props {
  alerts: readonly Alert[];
  counts: Overview['alertCounts'];
}

const SHOWN = 6;

/** What is wrong now, worst first. Nothing wrong is said calmly in one line. */
export function OpenAlerts({ alerts, counts }: Props) {
  const t = useTranslations('overview');
  const isSeen = useLoss()?.of !== 'redis';
  const shown = worstFirst(alerts).slice(0, SHOWN);
  const total = counts.critical + counts.warning + counts.info;
  if (shown.length === 0) {
    return (
      <section
        aria-label={t('openAlerts')}
        className="flex items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2.5"
      >
        {isSeen && <CircleCheck size={16} aria-hidden className="shrink-0 text-ok" />}
        <p className="flex flex-1 flex-wrap justify-between gap-x-3 text-sm">
          <span className="font-semibold">{t('noAlerts')}</span>
          {isSeen ? (
            <a href={`#${BUSIEST_ID}`} className="text-accent-ink hover:underline">
              {t('toBusiest')}
            </a>
          ) : (
            <span className="text-ink-2">{t('noAlertsUnseen')}</span>
          )}
        </p>
      </section>
    );
  }
  return (
    <section aria-label={t('openAlerts')} className="rounded-lg border border-line bg-surface">
      <ul>
        {shown.map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
      </ul>
      <p className="flex justify-between gap-3 border-t border-line px-3 py-2 text-xs text-ink-2">
        <span>{total > shown.length && t('moreAlerts', { count: total - shown.length })}</span>
        <PageLink href="/alerts" className="font-medium text-accent-ink hover:underline">
          {t('allAlerts')}
        </PageLink>
      </p>
    </section>
  );
}

const EDGE = { critical: 'border-l-critical', warning: 'border-l-warning', info: 'border-l-info' };

function AlertLine({ alert }: { alert: Alert }) {
  const t = useTranslations('overview');
  const say = useSaid();
  const first = alert.subject.locks[0];
  return (
    <li
      className={`flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5 border-b border-l-3 border-line px-3 py-2 first:rounded-tl-lg last:border-b-0 ${alert.state === 'firing' ? EDGE[alert.severity] : 'border-l-line-strong'}`}
    >
      <SeverityIcon severity={alert.severity} />
      <PageLink
        href={alertHref(alert)}
        className="shrink-0 font-semibold hover:text-accent-ink hover:underline"
      >
        <AlertCodeLabel code={alert.code} />
      </PageLink>
      {alert.state !== 'firing' && <AlertStateBadge alert={alert} />}
      <AlertMarks alert={alert} short />
      <span className="line-clamp-2 min-w-0 flex-1 basis-64 break-words text-ink-2 max-sm:basis-full">
        {say(alert.sentences?.summary, alert.summary)}
      </span>
      {first && (
        <span className="flex max-w-64 min-w-0">
          <KeyText text={first.key} lock={{ target: alert.target, ...first }} />
        </span>
      )}
      <span className="shrink-0 text-xs text-ink-3">
        {t('alertFor')} <Elapsed since={alert.since} />
      </span>
    </li>
  );
}
