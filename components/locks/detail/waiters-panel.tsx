'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import {
  Elapsed,
  EvidenceMark,
  Figure,
  KeyText,
  OwnerText,
  WaitingText,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/panel';
import type { LockDetail, WaitingOwner } from '@/lib/protocol/lock';

// Seldom needed, and large: loaded when it is first opened.
const DropWaiterDialog = dynamic(
  () =>
    import('@/components/locks/release/drop-waiter-dialog').then(
      (module) => module.DropWaiterDialog,
    ),
  { ssr: false },
);

type Placed = WaitingOwner & { place: number };

/** Who waits, in order where there is one; or why that cannot be seen. */
export function WaitersPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.waiters');
  const why = useTranslations('labels.waitingWhy');
  const [dropping, setDropping] = useState<WaitingOwner | null>(null);
  const { waiting, waiters } = lock;
  const isUnknown = waiting.count === null;
  const isForBusiness = waiters.some(({ businessId }) => businessId);
  const columns = useColumns(
    { isForBusiness },
    waiting.source === 'fair-queue' ? setDropping : null,
  );
  const rows = waiters.map((waiter, index) => ({ ...waiter, place: index + 1 }));
  return (
    <Panel title={t('title')} flush actions={<EvidenceMark evidence={waiting.evidence} named />}>
      <div className="px-3 py-2.5 text-sm">
        {isUnknown && (
          <p className="font-medium">
            {t(waiting.source === 'poll' ? 'notObservableTitle' : 'notKnownTitle')}
          </p>
        )}
        {waiting.count === 0 && <p>{t('nobody')}</p>}
        {!isUnknown && waiting.count !== 0 && <WaitingText waiting={waiting} />}
        <p className="text-xs text-ink-3">{why(waiting.source)}</p>
      </div>
      {rows.length > 0 && (
        <div className="border-t border-line">
          <DataTable
            caption={t('tableLabel')}
            columns={columns}
            rows={rows}
            rowKey={(row) => `${row.place}:${row.id}`}
          />
        </div>
      )}
      {dropping && (
        <DropWaiterDialog lock={lock} waiter={dropping} onClose={() => setDropping(null)} />
      )}
    </Panel>
  );
}

function useColumns(
  { isForBusiness }: { isForBusiness: boolean },
  onDrop: ((waiter: WaitingOwner) => void) | null,
): Column<Placed>[] {
  const t = useTranslations('lock.waiters');
  const session = useSession();
  const columns: Column<Placed>[] = [
    { id: 'place', header: t('position'), cell: (row) => row.place },
    {
      id: 'owner',
      header: t('owner'),
      className: 'max-w-60',
      cell: (row) => (row.owner ? <OwnerText owner={row.owner} /> : <KeyText text={row.id} />),
    },
    {
      id: 'waits',
      header: t('waits'),
      align: 'end',
      cell: (row) =>
        row.since === null ? (
          <Figure evidence="unknown">{null}</Figure>
        ) : (
          <Elapsed since={row.since} />
        ),
    },
    ...(isForBusiness
      ? [
          {
            id: 'business',
            header: t('business'),
            className: 'max-w-40',
            cell: (row: Placed) => row.businessId && <KeyText text={row.businessId} />,
          },
        ]
      : []),
    { id: 'alive', header: t('connection'), cell: (row) => <Alive alive={row.alive} /> },
  ];
  if (!onDrop || !session || session.role === 'viewer') return columns;
  columns.push({
    id: 'drop',
    header: <span className="sr-only">{t('drop')}</span>,
    align: 'end',
    // The others are woken by the release; only one that is gone stands in the way.
    cell: (row) =>
      row.alive === false && (
        <Button aria-label={t('dropLabel', { owner: row.id })} onClick={() => onDrop(row)}>
          {t('drop')}
        </Button>
      ),
  });
  return columns;
}

function Alive({ alive }: { alive: boolean | null }) {
  const t = useTranslations('lock.waiters');
  if (alive === null) return <Figure evidence="unknown">{null}</Figure>;
  if (alive) return <span className="text-ok">{t('alive')}</span>;
  return (
    <Badge tone="critical" title={t('deadTitle')}>
      {t('dead')}
    </Badge>
  );
}
