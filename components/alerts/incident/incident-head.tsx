'use client';

import { useTranslations } from 'use-intl';
import {
  AlertCodeLabel,
  AlertMarks,
  AlertStateBadge,
  DurationText,
  Elapsed,
  EvidenceMark,
  SeverityBadge,
  useExactTimeText,
  useSaid,
} from '@/components/labels';
import { PageHeader } from '@/components/ui/page-header';
import type { Alert } from '@/lib/protocol/alert';
import type { ReactNode } from 'react';

/** What it is, in which state, since when and for how long, in a few lines. */
export function IncidentHead({ alert, actions }: { alert: Alert; actions: ReactNode }) {
  const t = useTranslations('alerts.incident');
  const say = useSaid();
  const exact = useExactTimeText();
  const { since, resolvedAt } = alert;
  return (
    <div className="flex flex-col gap-1.5">
      <PageHeader
        title={<AlertCodeLabel code={alert.code} />}
        aside={
          <span className="flex flex-wrap items-center gap-2">
            <SeverityBadge severity={alert.severity} />
            <AlertStateBadge alert={alert} />
            <AlertMarks alert={alert} />
          </span>
        }
        actions={actions}
      />
      <p className="max-w-prose text-base break-words">
        {say(alert.sentences?.summary, alert.summary)}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <span>
          {t('since')} <time dateTime={isoOf(since)}>{exact(since)}</time>
        </span>
        <span className="tabular-nums">
          {resolvedAt === null ? (
            <>
              {t('openFor')} <Elapsed since={since} />
            </>
          ) : (
            t.rich('lasted', {
              duration: () => <DurationText ms={resolvedAt - since} />,
              time: () => exact(resolvedAt),
            })
          )}
        </span>
        <EvidenceMark evidence={alert.evidence} named />
      </p>
    </div>
  );
}

const isoOf = (at: number): string => new Date(at).toISOString();
