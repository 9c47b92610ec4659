'use client';

import { useTranslations } from 'use-intl';
import { DurationText, Figure, KeyText } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import type { Past, PastLock } from '@/lib/protocol/past';
import { EndedLater, HolderOf, WaiterCount } from './hold-cells';
import { ExactClock } from './moment-text';
import { PastOwners } from './past-owner';

/** The locks of one moment, with what came of each hold since. */
export function PastLocksTable({ data: { at, items, places } }: { data: Past }) {
  const t = useTranslations('past');
  return (
    <PastOwners places={places}>
      <DataTable
        caption={t('tableLabel')}
        columns={useColumns(at)}
        rows={items}
        rowKey={({ db, keyB64 }) => `${db}:${keyB64}`}
      />
    </PastOwners>
  );
}

const dash = <span className="text-ink-3">–</span>;

function useColumns(at: number): Column<PastLock>[] {
  const t = useTranslations('past.columns');
  return [
    {
      id: 'key',
      header: t('key'),
      className: 'max-w-44 sm:max-w-72',
      cell: (lock) => <KeyText text={lock.key} lock={lock} at={at} className="font-medium" />,
    },
    {
      id: 'class',
      header: t('class'),
      wideOnly: true,
      className: 'max-w-36',
      cell: (lock) => <KeyText text={lock.class} className="text-ink-2" />,
    },
    {
      id: 'holder',
      header: t('holder'),
      className: 'max-w-44 sm:max-w-60',
      cell: ({ hold }) => <HolderOf hold={hold} />,
    },
    {
      id: 'waiters',
      header: t('waiters'),
      align: 'end',
      cell: (lock) => <WaiterCount lock={lock} />,
    },
    {
      id: 'since',
      header: t('since'),
      cell: ({ hold }) => (hold ? <ExactClock at={hold.start} beside={at} /> : dash),
    },
    {
      id: 'heldFor',
      header: t('heldFor'),
      align: 'end',
      cell: ({ hold }) =>
        hold ? (
          <Figure evidence={hold.evidence}>
            <DurationText ms={at - hold.start} />
          </Figure>
        ) : (
          dash
        ),
    },
    {
      id: 'ended',
      header: t('ended'),
      cell: ({ hold }) => (hold ? <EndedLater hold={hold} at={at} /> : dash),
    },
  ];
}
