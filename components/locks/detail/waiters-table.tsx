'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import {
  ClockTime,
  Countdown,
  Elapsed,
  Figure,
  KeyText,
  OwnerText,
  useSaid,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import type { LockDetail, WaitingOwner } from '@/lib/protocol/lock';
import { repairOf } from './repair';

// Seldom needed, and large: loaded when it is first opened.
const DropWaiterDialog = dynamic(
  () =>
    import('@/components/locks/release/drop-waiter-dialog').then(
      (module) => module.DropWaiterDialog,
    ),
  { ssr: false },
);

type Placed = WaitingOwner & { place: number };

/** Those who wait by name, first in line first, and the way to drop one that is gone. */
export function WaitersTable({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.waiters');
  const [dropping, setDropping] = useState<WaitingOwner | null>(null);
  const columns = useColumns(lock.waiters);
  const drop = useDropColumn(lock, setDropping);
  const rows = lock.waiters.map((waiter, index) => ({ ...waiter, place: index + 1 }));
  return (
    <>
      {rows.length > 0 && (
        <div className="border-t border-line">
          <DataTable
            caption={t('tableLabel')}
            columns={[...columns, ...drop]}
            rows={rows}
            rowKey={(row) => `${row.place}:${row.id}`}
          />
        </div>
      )}
      {dropping && (
        <DropWaiterDialog lock={lock} waiter={dropping} onClose={() => setDropping(null)} />
      )}
    </>
  );
}

function useColumns(waiters: readonly WaitingOwner[]): Column<Placed>[] {
  const t = useTranslations('lock.waiters');
  const columns: (Column<Placed> | false)[] = [
    { id: 'place', header: t('position'), cell: (row) => row.place },
    {
      id: 'owner',
      header: t('owner'),
      className: 'max-w-28 sm:max-w-60',
      cell: (row) => (row.owner ? <OwnerText owner={row.owner} /> : <KeyText text={row.id} />),
    },
    { id: 'alive', header: t('connection'), cell: (row) => <Alive alive={row.alive} /> },
    {
      id: 'waits',
      header: t('waits'),
      align: 'end',
      cell: (row) => <Waits since={row.since} />,
    },
    waiters.some(({ deadline }) => typeof deadline === 'number') && {
      id: 'deadline',
      // A phone is told of the dead above, and has the way to drop them instead.
      wideOnly: true,
      header: <span title={t('dropsTitle')}>{t('drops')}</span>,
      cell: (row) => typeof row.deadline === 'number' && <Drops at={row.deadline} />,
    },
    waiters.some(({ businessId }) => businessId) && {
      id: 'business',
      wideOnly: true,
      header: t('business'),
      className: 'max-w-40',
      cell: (row) => row.businessId && <KeyText text={row.businessId} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

/** For operators, in queues. */
function useDropColumn(lock: LockDetail, onDrop: (waiter: WaitingOwner) => void): Column<Placed>[] {
  const t = useTranslations('lock.waiters');
  const session = useSession();
  const say = useSaid();
  const mayDrop = lock.waiting.source === 'fair-queue' && session && session.role !== 'viewer';
  if (!mayDrop) return [];
  const because = repairOf(lock, 'drop-waiter')?.because ?? null;
  return [
    {
      id: 'drop',
      header: <span className="sr-only">{t('drop')}</span>,
      align: 'end',
      // The others are woken by the release; only one that is gone stands in the way.
      cell: (row) =>
        row.alive === false && (
          <Button
            aria-label={t('dropLabel', { owner: row.id })}
            disabled={because !== null}
            title={because === null ? undefined : say(because, '')}
            onClick={() => onDrop(row)}
          >
            {t('drop')}
          </Button>
        ),
    },
  ];
}

function Waits({ since }: { since: number | null }) {
  if (since === null) return <Figure evidence="unknown">{null}</Figure>;
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Elapsed since={since} />
      <span className="text-xs text-ink-3 max-md:hidden">
        <ClockTime at={since} />
      </span>
    </span>
  );
}

function Drops({ at }: { at: number }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Countdown deadline={at} />
      <ClockTime at={at} className="text-xs text-ink-3 max-md:hidden" />
    </span>
  );
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
