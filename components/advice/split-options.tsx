'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { Advice } from '@/lib/protocol/measures';
import { Badge } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { useWaitersText, percentText } from './advice-figures';

type Option = Advice['options'][number];

/** What each number of locks would bring: the advised one is the least that brings enough. */
export function SplitOptions({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const format = useFormatter();
  const waiters = useWaitersText();
  const columns: Column<Option>[] = [
    {
      id: 'segments',
      header: t('columns.segments'),
      cell: ({ segments }) => (
        <span className="flex items-center gap-2">
          {format.number(segments)}
          {segments === advice.segments && <Badge tone="accent">{t('chosen')}</Badge>}
        </span>
      ),
    },
    {
      id: 'contention',
      header: t('columns.contention'),
      align: 'end',
      cell: ({ contention }) => waiters(contention),
    },
    {
      id: 'drop',
      header: t('columns.drop'),
      align: 'end',
      cell: ({ drop }) => percentText(format, drop),
    },
  ];
  return (
    <div className="rounded-md border border-line">
      <DataTable
        caption={t('optionsCaption')}
        columns={columns}
        rows={advice.options}
        rowKey={({ segments }) => String(segments)}
      />
    </div>
  );
}
