'use client';

import { useTranslations } from 'use-intl';
import { Caretaker } from '@/components/alerts/caretaker';
import { RowLabels } from '@/components/alerts/list/row-labels';
import { DurationText, Elapsed, useSaid } from '@/components/labels';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import type { Alert, AlertDetail } from '@/lib/protocol/alert';

/** What to do about it, or what there was to do: a lock that was named may have another holder by now. */
export function WhatToDo({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  const say = useSaid();
  return (
    <Panel title={t(alert.state === 'resolved' ? 'advised' : 'todo')}>
      <p className="max-w-prose text-sm break-words">
        {say(alert.sentences?.remedy, alert.remedy)}
      </p>
    </Panel>
  );
}

/** Who looks after it; that nobody does, and for how long. */
export function WhoCares({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  const isNobody =
    alert.acknowledgedBy === null && (alert.state === 'firing' || alert.state === 'pending');
  return (
    <Panel title={t('caretaker')}>
      <div className="flex flex-col gap-1 text-sm">
        {isNobody && alert.state === 'pending' && <p className="text-ink-2">{t('nobodyYet')}</p>}
        {isNobody && alert.state === 'firing' && (
          <p>
            {t.rich('nobody', {
              duration: () => <Elapsed since={alert.alertedAt ?? alert.since} />,
            })}
          </p>
        )}
        {!isNobody && alert.acknowledgedBy === null && alert.state !== 'silenced' && (
          <p className="text-ink-2">{t('nobodyDid')}</p>
        )}
        <Caretaker alert={alert} />
      </div>
    </Panel>
  );
}

/** What the alert bears: what it is grouped, silenced and routed by. */
export function IncidentLabels({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  const { labels } = alert;
  const isEmpty = !labels || Object.values(labels).every((value) => value === null);
  return (
    <Panel title={t('labels')}>
      {isEmpty ? (
        <p className="text-sm text-ink-3">{t('noLabels')}</p>
      ) : (
        <RowLabels alert={alert} />
      )}
    </Panel>
  );
}

/** What happened to its locks while it lasted. */
export function Impact({ impact }: { impact: NonNullable<AlertDetail['impact']> }) {
  const t = useTranslations('incident.impact');
  return (
    <Panel title={t('title')}>
      <KeyValue
        items={[
          { label: t('acquisitions'), value: t('count', { count: impact.acquisitions }) },
          { label: t('lost'), value: t('count', { count: impact.lost }) },
          { label: t('held'), value: <DurationText ms={impact.heldMs} /> },
          {
            label: t('waited'),
            value: impact.waitedMs === null ? t('unseen') : <DurationText ms={impact.waitedMs} />,
          },
        ]}
      />
    </Panel>
  );
}
