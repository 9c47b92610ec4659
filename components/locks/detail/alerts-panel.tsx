'use client';

import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import {
  AlertCodeLabel,
  alertHref,
  AlertMarks,
  AlertStateBadge,
  Elapsed,
  SeverityIcon,
  useSaid,
} from '@/components/labels';
import { Panel } from '@/components/ui/panel';
import type { Alert } from '@/lib/protocol/alert';
import type { LockDetail } from '@/lib/protocol/lock';

/** The same parameters as the frame's, so that both share one live query. */
const OPEN = { state: 'open', limit: 500 } as const;

/** The open alerts about this lock, each with what to do about it. */
export function AlertsPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.alerts');
  const say = useSaid();
  const { data } = useLive('alerts', OPEN);
  const alerts = data?.items.filter((alert) => isAbout(alert, lock)) ?? [];
  if (alerts.length === 0) return null;
  return (
    <Panel title={t('title')} flush aside={<span className="text-xs">{alerts.length}</span>}>
      <ul className="divide-y divide-line">
        {alerts.map((alert) => (
          <li
            key={alert.id}
            className="flex gap-x-2.5 gap-y-1 px-3 py-2.5 text-sm max-sm:flex-wrap"
          >
            <span className="mt-0.5">
              <SeverityIcon severity={alert.severity} />
            </span>
            <div className="min-w-0 flex-1">
              <p className="break-words">
                <PageLink href={alertHref(alert)} className="font-medium hover:underline">
                  <AlertCodeLabel code={alert.code} />
                </PageLink>
                {' · '}
                {say(alert.sentences?.summary, alert.summary)}
              </p>
              <div className="my-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 empty:hidden">
                {alert.state !== 'firing' && <AlertStateBadge alert={alert} />}
                <AlertMarks alert={alert} short />
              </div>
              <p className="text-xs break-words text-ink-2">
                {say(alert.sentences?.remedy, alert.remedy)}
              </p>
            </div>
            <span className="shrink-0 text-xs text-ink-3 max-sm:basis-full max-sm:pl-6">
              {t.rich('conditionFor', { duration: () => <Elapsed since={alert.since} /> })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const isAbout = (alert: Alert, lock: LockDetail): boolean =>
  alert.target === lock.target &&
  alert.subject.locks.some(({ db, keyB64 }) => db === lock.db && keyB64 === lock.keyB64);
