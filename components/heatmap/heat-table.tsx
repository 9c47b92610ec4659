'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import { ClockTime, Figure, KeyText } from '@/components/labels';
import type { Column } from '@/components/ui/data-table';
import { DataTable } from '@/components/ui/data-table';
import type { RowFacts } from './heat-cell';
import { rowFacts } from './heat-cell';
import { metricFigure } from './heat-format';

const SHOWN_ROWS = 100;

/** The map in words and figures, for whoever cannot see it or wants to copy from it. */
export function HeatTable({ data }: { data: Heatmap }) {
  const t = useTranslations('heatmap');
  const rows = useMemo(() => rowFacts(data, SHOWN_ROWS), [data]);
  const figureOf = (value: number | null) => (
    <Figure evidence={value === null ? 'unknown' : data.evidence}>
      {value === null ? null : metricFigure(data.metric, value)}
    </Figure>
  );
  const columns: Column<RowFacts>[] = [
    {
      id: 'row',
      header: t('row'),
      cell: (row) => <KeyText text={row.label} className="max-w-96" />,
    },
    { id: 'namespace', header: t('namespace'), wideOnly: true, cell: (row) => row.namespace },
    { id: 'latest', header: t('latest'), align: 'end', cell: (row) => figureOf(row.latest) },
    { id: 'highest', header: t('highest'), align: 'end', cell: (row) => figureOf(row.highest) },
    {
      id: 'highestAt',
      header: t('highestAt'),
      align: 'end',
      wideOnly: true,
      cell: (row) => row.highestAt !== null && <ClockTime at={row.highestAt} />,
    },
    { id: 'average', header: t('average'), align: 'end', cell: (row) => figureOf(row.average) },
  ];
  return (
    <>
      <DataTable
        caption={t('tableCaption', { metric: t(`metrics.${data.metric}`) })}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row.row)}
      />
      {data.rows.length > SHOWN_ROWS && (
        <p className="px-3 py-2 text-xs text-ink-3">
          {t('tableCut', { shown: SHOWN_ROWS, total: data.rows.length })}
        </p>
      )}
    </>
  );
}
