'use client';

import {
  AlertCodeLabel,
  AlertMarks,
  AlertStateBadge,
  EvidenceMark,
  SeverityBadge,
  useSaid,
} from '@/components/labels';
import { AlertMoments } from '@/components/alerts/alert-moments';
import { AlertSubjectLinks, isOfOneThing } from '@/components/alerts/alert-subject';
import { HowItEnded } from '@/components/alerts/how-it-ended';
import { PageHeader } from '@/components/ui/page-header';
import type { Alert } from '@/lib/protocol/alert';
import type { ReactNode } from 'react';

/** What it is, in which state, since when and for how long, in a few lines. */
export function IncidentHead({ alert, actions }: { alert: Alert; actions: ReactNode }) {
  const say = useSaid();
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
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {isOfOneThing(alert) && <AlertSubjectLinks alert={alert} most={1} />}
        <p className="max-w-prose text-base break-words">
          {say(alert.sentences?.summary, alert.summary)}
        </p>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <AlertMoments alert={alert} />
        <EvidenceMark evidence={alert.evidence} named />
      </p>
      {alert.ending && (
        <div className="text-sm text-ink-2">
          <HowItEnded ending={alert.ending} />
        </div>
      )}
    </div>
  );
}
