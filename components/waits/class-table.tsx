'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import { EvidenceMark, Figure, KeyText } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Percentile } from './percentile-tiles';

type Row = Waits['byClass'][number];

const SHOWN = 200;

interface Props {
  rows: readonly Row[];
  onClass: (name: string) => void;
}

/** Waits beside holds per class; the class with the longest waits first. */
export function ClassTable({ rows, onClass }: Props) {
  const t = useTranslations('waits');
  const format = useFormatter();
  const sorted = [...rows]
    .sort(
      (a, b) =>
        (b.waitMs.p99 ?? -1) - (a.waitMs.p99 ?? -1) || (b.holdMs.p99 ?? 0) - (a.holdMs.p99 ?? 0),
    )
    .slice(0, SHOWN);
  const columns: Column<Row>[] = [
    {
      id: 'class',
      header: t('columns.class'),
      className: 'max-w-40 sm:max-w-72',
      cell: (row) => (
        <button
          type="button"
          onClick={() => onClass(row.class)}
          aria-label={t('onlyClass', { class: row.class })}
          className="row-focus flex max-w-full min-w-0 text-left hover:text-accent-ink hover:underline"
        >
          <KeyText text={row.class} />
        </button>
      ),
    },
    {
      id: 'waits',
      header: t('columns.waits'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <Figure evidence={row.evidence}>{format.number(row.waitMs.count)}</Figure>,
    },
    {
      id: 'waitP50',
      header: t('columns.waitP50'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <Percentile ms={row.waitMs.p50} evidence={row.evidence} />,
    },
    {
      id: 'waitP99',
      header: t('columns.waitP99'),
      align: 'end',
      cell: (row) => <Percentile ms={row.waitMs.p99} evidence={row.evidence} />,
    },
    {
      id: 'holds',
      header: t('columns.holds'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.holdMs.count),
    },
    {
      id: 'holdP50',
      header: t('columns.holdP50'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <Percentile ms={row.holdMs.p50} evidence="observed" />,
    },
    {
      id: 'holdP99',
      header: t('columns.holdP99'),
      align: 'end',
      cell: (row) => <Percentile ms={row.holdMs.p99} evidence="observed" />,
    },
    {
      id: 'evidence',
      header: t('columns.evidence'),
      wideOnly: true,
      cell: (row) => <EvidenceMark evidence={row.evidence} named />,
    },
  ];
  return (
    <DataTable
      caption={t('byClassCaption')}
      columns={columns}
      rows={sorted}
      rowKey={(row) => row.class}
    />
  );
}
