'use client';

import { Activity } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import type { TraceSummary } from '@/lib/protocol/trace';
import { ClockTime, DurationText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { PageLink } from '@/components/ui/page-link';
import { traceHref } from './trace-href';

/** Traces that have ended, newest first; each leads to its page. */
export function PastTraces({ traces }: { traces: readonly TraceSummary[] }) {
  const t = useTranslations('traces');
  return (
    <DataTable
      caption={t('pastCaption')}
      columns={useColumns()}
      rows={traces}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<Activity size={22} aria-hidden />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      }
    />
  );
}

function useColumns(): Column<TraceSummary>[] {
  const t = useTranslations('traces');
  const format = useFormatter();
  return [
    {
      id: 'started',
      header: t('columns.started'),
      cell: ({ id, startedAt }) => (
        <PageLink href={traceHref(id)} className="row-focus text-accent-ink hover:underline">
          <ClockTime at={startedAt} />
        </PageLink>
      ),
    },
    {
      id: 'by',
      header: t('columns.by'),
      wideOnly: true,
      className: 'max-w-48',
      cell: ({ actor }) => <span className="block truncate">{actor}</span>,
    },
    {
      id: 'state',
      header: t('columns.state'),
      cell: ({ state }) => (
        <Badge tone={state === 'stopped' ? 'warning' : 'neutral'}>{t(`states.${state}`)}</Badge>
      ),
    },
    {
      id: 'lasted',
      header: t('columns.lasted'),
      align: 'end',
      wideOnly: true,
      cell: ({ startedAt, endedAt }) => <DurationText ms={(endedAt ?? startedAt) - startedAt} />,
    },
    {
      id: 'attempts',
      header: t('columns.attempts'),
      align: 'end',
      wideOnly: true,
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      id: 'failed',
      header: t('columns.failed'),
      align: 'end',
      cell: ({ failed }) => format.number(failed),
    },
    {
      id: 'storms',
      header: t('columns.storms'),
      align: 'end',
      cell: ({ storms }) => format.number(storms),
    },
  ];
}
