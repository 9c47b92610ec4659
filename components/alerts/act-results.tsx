'use client';

import { useTranslations } from 'use-intl';
import { AlertCodeLabel, ErrorText, KeyText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable } from '@/components/ui/data-table';
import { Notice } from '@/components/ui/notice';
import type { Alert } from '@/lib/protocol/alert';
import type { ActResult } from './in-parts';

interface Props {
  results: readonly ActResult[];
  alerts: readonly Alert[];
}

/** What came of an act on several alerts, one by one. */
export function ActResults({ results, alerts }: Props) {
  const t = useTranslations('alerts.results');
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const failed = results.filter(({ failure }) => failure !== null).length;
  return (
    <div className="flex flex-col gap-3">
      <Notice tone={failed > 0 ? 'warning' : 'ok'} polite>
        {t('sum', { done: results.length - failed, failed })}
      </Notice>
      <div className="max-h-80 overflow-y-auto rounded-md border border-line">
        <DataTable
          caption={t('caption')}
          rows={results}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'alert',
              header: t('alert'),
              className: 'max-w-64',
              cell: ({ id }) => <Named alert={byId.get(id)} id={id} />,
            },
            {
              id: 'outcome',
              header: t('outcome'),
              cell: ({ failure }) => (
                <Badge tone={failure ? 'critical' : 'ok'}>{t(failure ? 'failed' : 'done')}</Badge>
              ),
            },
            {
              id: 'because',
              header: t('because'),
              className: 'whitespace-normal! text-ink-2',
              cell: ({ failure }) => failure && <ErrorText error={failure} />,
            },
          ]}
        />
      </div>
    </div>
  );
}

function Named({ alert, id }: { alert: Alert | undefined; id: string }) {
  if (!alert) return <KeyText text={id} />;
  return (
    <span className="flex min-w-0 gap-1.5">
      <AlertCodeLabel code={alert.code} />
      <KeyText text={alert.subject.label} className="text-ink-2" />
    </span>
  );
}
