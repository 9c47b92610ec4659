'use client';

import { useTranslations, useFormatter } from 'use-intl';
import { EvidenceMark, Figure, KeyText } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import type { Waits } from '@/lib/protocol/measures';
import { Percentile } from './percentile';

type Row = Waits['byClass'][number];

const SHOWN = 200;

interface Props {
  rows: readonly Row[];
  onClass: (row: Row) => void;
  onNamespace: (namespace: string) => void;
}

/** Waits beside holds per class; the class with the longest waits first. */
export function ClassTable({ rows, onClass, onNamespace }: Props) {
  const t = useTranslations('waits');
  const columns = useColumns({ onClass, onNamespace });
  const sorted = [...rows]
    .sort(
      (a, b) =>
        (b.waitMs.p99 ?? -1) - (a.waitMs.p99 ?? -1) || (b.holdMs.p99 ?? 0) - (a.holdMs.p99 ?? 0),
    )
    .slice(0, SHOWN);
  return (
    <>
      <DataTable
        caption={t('byClassCaption')}
        columns={columns}
        rows={sorted}
        rowKey={(row) => JSON.stringify([row.namespace, row.class])}
      />
      {rows.length > SHOWN && (
        <p className="border-t border-line px-3 py-2 text-xs text-ink-3">
          {t('classesCut', { shown: SHOWN, total: rows.length })}
        </p>
      )}
    </>
  );
}

const LINK = 'row-focus flex max-w-full min-w-0 text-left hover:text-accent-ink hover:underline';

function useColumns({ onClass, onNamespace }: Omit<Props, 'rows'>): Column<Row>[] {
  const t = useTranslations('waits');
  const format = useFormatter();
  const figure = (
    id: 'waitP50' | 'waitP99' | 'holdP50' | 'holdP99',
    cell: Column<Row>['cell'],
  ): Column<Row> => ({ id, header: t(`columns.${id}`), align: 'end', cell });
  return [
    {
      id: 'class',
      header: t('columns.class'),
      className: 'max-w-40 sm:max-w-72',
      cell: (row) => (
        <button
          type="button"
          onClick={() => onClass(row)}
          aria-label={t('onlyClass', { class: row.class })}
          className={LINK}
        >
          <KeyText text={row.class} />
        </button>
      ),
    },
    {
      id: 'namespace',
      header: t('columns.namespace'),
      className: 'max-w-40',
      wideOnly: true,
      cell: ({ namespace }) =>
        namespace === '' ? (
          <span className="text-ink-3">{t('noNamespace')}</span>
        ) : (
          <button
            type="button"
            onClick={() => onNamespace(namespace)}
            aria-label={t('onlyNamespace', { namespace })}
            className={LINK}
          >
            <KeyText text={namespace} />
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
      ...figure('waitP50', (row) => <Percentile ms={row.waitMs.p50} evidence={row.evidence} />),
      wideOnly: true,
    },
    figure('waitP99', (row) => <Percentile ms={row.waitMs.p99} evidence={row.evidence} />),
    {
      id: 'holds',
      header: t('columns.holds'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.holdMs.count),
    },
    {
      ...figure('holdP50', (row) => <Percentile ms={row.holdMs.p50} evidence="observed" />),
      wideOnly: true,
    },
    figure('holdP99', (row) => <Percentile ms={row.holdMs.p99} evidence="observed" />),
    {
      id: 'evidence',
      header: t('columns.evidence'),
      wideOnly: true,
      cell: (row) => <EvidenceMark evidence={row.evidence} named />,
    },
  ];
}
