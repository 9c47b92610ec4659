'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { TracedClient } from '@/lib/protocol/trace';
import { Badge } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { ClientText } from './client-text';

/** Which clients failed to take locks, worst first. */
export function TracedClients({ clients }: { clients: readonly TracedClient[] }) {
  const t = useTranslations('traces');
  return (
    <DataTable
      caption={t('clientsCaption')}
      columns={useColumns()}
      rows={clients}
      rowKey={({ addr }) => addr}
      empty={<EmptyState title={t('noClients')} />}
    />
  );
}

function useColumns(): Column<TracedClient>[] {
  const t = useTranslations('traces');
  const format = useFormatter();
  return [
    {
      id: 'client',
      header: t('columns.client'),
      className: 'max-w-52 sm:max-w-80',
      cell: (row) => (
        <span className="flex min-w-0 flex-col items-start gap-1">
          <ClientText client={row} />
          {row.hot && (
            <Badge tone="warning" title={t('stormTitle')}>
              {t('hot')}
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'library',
      header: t('columns.library'),
      wideOnly: true,
      cell: (row) => row.libName,
    },
    {
      id: 'attempts',
      header: t('columns.attempts'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.attempts),
    },
    {
      id: 'failed',
      header: t('columns.failed'),
      align: 'end',
      cell: (row) => format.number(row.failed),
    },
    {
      id: 'failedPerSecond',
      header: t('columns.failedPerSecond'),
      align: 'end',
      cell: (row) => format.number(row.failedPerSecond),
    },
    {
      id: 'locks',
      header: t('columns.locks'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.keys),
    },
  ];
}
