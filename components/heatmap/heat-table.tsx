'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClockTime, Figure, KeyText } from '@/components/labels';
import type { Column } from '@/components/ui/data-table';
import { DataTable } from '@/components/ui/data-table';
import { IconButton } from '@/components/ui/icon-button';
import type { HeatRow } from '@/lib/protocol/measures';
import type { RowFacts } from './heat-cell';
import { rowFacts } from './heat-cell';
import type { HeatData } from './heat-data';
import { metricFigure } from './heat-format';
import { rowText } from './heat-frame';

const PAGE_ROWS = 100;

interface Props {
  data: HeatData;
  /** What the map's rows are. */
  kind: HeatRow['kind'];
}

/** The map in words and figures, for whoever cannot see it or wants to copy from it; made when it is opened. */
export function HeatTable(props: Props) {
  const t = useTranslations('heatmap');
  const [isShown, setIsShown] = useState(false);
  return (
    <details
      className="border-t border-line"
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
        {t('table')}
      </summary>
      {isShown && <PagedTable {...props} />}
    </details>
  );
}

function PagedTable({ data, kind }: Props) {
  const t = useTranslations('heatmap');
  const [page, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(data.rows.length / PAGE_ROWS));
  const shown = Math.min(page, pages - 1);
  const rows = useMemo(() => rowFacts(data, shown * PAGE_ROWS, PAGE_ROWS), [data, shown]);
  const figureOf = (value: number | null) => (
    <Figure evidence={value === null ? 'unknown' : data.evidence}>
      {value === null ? null : metricFigure(data.metric, value)}
    </Figure>
  );
  const columns: Column<RowFacts>[] = [
    {
      id: 'row',
      header: t('row'),
      cell: ({ about }) =>
        about.kind === 'others' ? (
          <i>{rowText(about, kind, t)}</i>
        ) : (
          <KeyText text={about.label} className="max-w-96" />
        ),
    },
    {
      id: 'path',
      header: t('levels.class'),
      wideOnly: true,
      cell: ({ about }) => <Path row={about} />,
    },
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
      {pages > 1 && (
        <div className="flex items-center gap-2 px-3 py-2 text-xs text-ink-2">
          <IconButton
            label={t('tablePrevious')}
            icon={<ChevronLeft size={14} aria-hidden />}
            disabled={shown === 0}
            onClick={() => setPage(shown - 1)}
          />
          <output>
            {t('tablePage', {
              from: shown * PAGE_ROWS + 1,
              to: Math.min(data.rows.length, (shown + 1) * PAGE_ROWS),
              total: data.rows.length,
            })}
          </output>
          <IconButton
            label={t('tableNext')}
            icon={<ChevronRight size={14} aria-hidden />}
            disabled={shown >= pages - 1}
            onClick={() => setPage(shown + 1)}
          />
        </div>
      )}
    </>
  );
}

/** What the row is part of: a class of its namespace, or the namespace alone. */
function Path({ row }: { row: HeatRow }) {
  const parts = row.path.slice(0, -1).filter(Boolean);
  return <KeyText text={parts.join(' › ') || '–'} className="max-w-80 text-ink-2" />;
}
