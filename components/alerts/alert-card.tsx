'use client';

import { clsx } from 'clsx';
import { PageLink } from '@/components/ui/page-link';
import { useEffect, useRef, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Alert, AlertCode } from '@/lib/protocol/alert';
import { useSession } from '@/components/hooks';
import {
  AlertCodeLabel,
  ClockTime,
  DurationText,
  Elapsed,
  EvidenceMark,
  KeyText,
  SeverityBadge,
  useSaid,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { AlertAct } from './alert-dialog';

interface Props {
  alert: Alert;
  /** A link led here. */
  marked: boolean;
  onAct: (act: AlertAct) => void;
}

const EDGE = { critical: 'border-l-critical', warning: 'border-l-warning', info: 'border-l-info' };

/** One alert: what, about what, since when, how we know, what to do, and who knows of it. */
export function AlertCard({ alert, marked, onAct }: Props) {
  const isQuiet = alert.state === 'resolved' || alert.state === 'silenced';
  const say = useSaid();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) card.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <li
      ref={card}
      aria-current={marked || undefined}
      className={clsx(
        'flex min-w-0 flex-col gap-1.5 border-b border-l-3 border-line px-3 py-2.5 last:border-b-0',
        isQuiet ? 'border-l-line-strong' : EDGE[alert.severity],
        marked && 'bg-accent-soft',
      )}
    >
      <AlertHead alert={alert} />
      <p className="break-words text-ink">{say(alert.sentences?.summary, alert.summary)}</p>
      <Subject alert={alert} />
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Remedy alert={alert} />
        {alert.state !== 'resolved' && <Acts alert={alert} onAct={onAct} />}
      </div>
    </li>
  );
}

function AlertHead({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <SeverityBadge severity={alert.severity} />
      <h2 className="font-semibold">
        <AlertCodeLabel code={alert.code} />
      </h2>
      <Badge tone={alert.state === 'firing' ? alert.severity : 'neutral'}>
        {t(`states.${alert.state}`)}
      </Badge>
      <EvidenceMark evidence={alert.evidence} named />
      <span className="ml-auto flex flex-wrap gap-x-3 text-xs text-ink-3">
        {alert.count > 1 && <span>{t('locks', { count: alert.count })}</span>}
        {alert.resolvedAt === null ? (
          <span>
            {t('open')} <Elapsed since={alert.since} className="text-ink-2" />
          </span>
        ) : (
          <span>
            {t.rich('lasted', {
              duration: () => <DurationText ms={(alert.resolvedAt ?? 0) - alert.since} />,
              time: () => <ClockTime at={alert.resolvedAt ?? 0} />,
            })}
          </span>
        )}
      </span>
    </div>
  );
}

const SHOWN_LOCKS = 4;
/** Only a trace sees what they tell of. */
const FROM_TRACES: readonly AlertCode[] = ['retry-storm', 'hot-client'];

function Subject({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const { locks, deadlockId, kind, label } = alert.subject;
  const shown = locks.slice(0, SHOWN_LOCKS);
  const left = Math.max(alert.count, locks.length) - shown.length;
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
        <PageLink href="/targets" className="text-accent-ink hover:underline">
          {t('showTarget')}
        </PageLink>
      )}
      {deadlockId !== null && (
        <PageLink
          href={`/deadlocks?deadlock=${encodeURIComponent(deadlockId)}`}
          className="font-medium text-accent-ink hover:underline"
        >
          {t('showDeadlock')}
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

function Remedy({ alert }: { alert: Alert }) {
  const t = useTranslations('alerts');
  const say = useSaid();
  return (
    <div className="min-w-0 flex-1 basis-72 text-sm break-words text-ink-2">
      <p>
        <span className="text-ink-3">{t('todo')}: </span>
        {say(alert.sentences?.remedy, alert.remedy)}
      </p>
      {alert.acknowledgedBy !== null && (
        <p className="mt-0.5 text-xs text-ink-3">
          {t('acknowledgedBy', {
            name: alert.acknowledgedBy,
            reason: alert.acknowledgedReason ?? '–',
          })}
        </p>
      )}
      {alert.state === 'silenced' && alert.silencedUntil !== null && (
        <p className="mt-0.5 text-xs text-ink-3">
          {t.rich('silencedUntil', { time: () => <ClockTime at={alert.silencedUntil ?? 0} /> })}
        </p>
      )}
    </div>
  );
}

function Acts({ alert, onAct }: { alert: Alert; onAct: (act: AlertAct) => void }) {
  const t = useTranslations('alerts');
  const session = useSession();
  const mayAct = session !== null && session.role !== 'viewer';
  const id = useId();
  const why = session?.role === 'viewer' ? id : undefined;
  return (
    <div className="flex max-w-48 flex-col gap-1">
      <div className="flex gap-1.5">
        {alert.state !== 'acknowledged' && (
          <Button disabled={!mayAct} aria-describedby={why} onClick={() => onAct('acknowledge')}>
            {t('acknowledge')}
          </Button>
        )}
        {alert.state !== 'silenced' && (
          <Button
            look="ghost"
            disabled={!mayAct}
            aria-describedby={why}
            onClick={() => onAct('silence')}
          >
            {t('silence')}
          </Button>
        )}
      </div>
      {why && (
        <p id={why} className="text-xs text-ink-3">
          {t('viewerCannot')}
        </p>
      )}
    </div>
  );
}
