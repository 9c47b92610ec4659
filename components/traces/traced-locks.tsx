'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { TracedKey } from '@/lib/protocol/trace';
import { EvidenceMark, Figure, FormatLabel, KeyText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { ClientText } from './client-text';

const NAMED_CLIENTS = 2;

/** Who failed to take which lock, worst first. */
export function TracedLocks({ target, locks }: { target: string; locks: readonly TracedKey[] }) {
  const t = useTranslations('traces');
  return (
    <DataTable
      caption={t('locksCaption')}
      columns={useColumns(target)}
      rows={locks}
      rowKey={({ db, keyB64 }) => `${db}:${keyB64}`}
      empty={<EmptyState title={t('noLocks')}>{t('noLocksText')}</EmptyState>}
    />
  );
}

function useColumns(target: string): Column<TracedKey>[] {
  const t = useTranslations('traces');
  const format = useFormatter();
  return [
    {
      id: 'lock',
      header: t('columns.lock'),
      className: 'max-w-44 sm:max-w-80',
      cell: (row) => (
        <span className="flex min-w-0 flex-col items-start gap-1">
          <span className="flex w-full min-w-0">
            <KeyText text={row.key} lock={{ target, db: row.db, keyB64: row.keyB64 }} />
          </span>
          {row.storm && (
            <Badge tone="warning" title={t('stormTitle')}>
              {t('storm')}
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'format',
      header: t('columns.format'),
      wideOnly: true,
      cell: (row) => (row.format === undefined ? null : <FormatLabel format={row.format} />),
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
      cell: (row) => <Figure evidence={row.evidence}>{format.number(row.failed)}</Figure>,
    },
    {
      id: 'perSecond',
      header: t('columns.perSecond'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.perSecond, { maximumSignificantDigits: 3 }),
    },
    {
      id: 'failedPerSecond',
      header: t('columns.failedPerSecond'),
      align: 'end',
      cell: (row) => format.number(row.failedPerSecond),
    },
    {
      id: 'clients',
      header: t('columns.clients'),
      className: 'max-w-64',
      wideOnly: true,
      cell: (row) => <Clients row={row} />,
    },
    {
      id: 'evidence',
      header: t('columns.evidence'),
      wideOnly: true,
      cell: (row) => <EvidenceMark evidence={row.evidence} named />,
    },
  ];
}

function Clients({ row }: { row: TracedKey }) {
  const t = useTranslations('traces');
  const shown = row.clients.slice(0, NAMED_CLIENTS);
  const more = row.clientCount - shown.length;
  return (
    <span className="flex min-w-0 flex-col">
      {shown.map((client) => (
        <ClientText key={client.addr} client={client} />
      ))}
      {more > 0 && <span className="text-xs text-ink-3">{t('moreClients', { count: more })}</span>}
      {row.waiting > 0 && (
        <span className="text-xs text-ink-3">{t('waiting', { count: row.waiting })}</span>
      )}
    </span>
  );
}
