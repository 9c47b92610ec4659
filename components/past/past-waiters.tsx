'use client';

import { useTranslations } from 'use-intl';
import { DurationText, EvidenceMark, Figure } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/panel';
import type { PastLock, PastWaiter } from '@/lib/protocol/past';
import { WaitOutcome } from './hold-cells';
import { ExactClock } from './moment-text';
import { PastOwner } from './past-owner';

/** Who waited at the moment, the longest first, and whether they got the lock. */
export function PastWaitersPanel({ lock, at }: { lock: PastLock; at: number }) {
  const t = useTranslations('past.waiters');
  const { waiters, waitersEvidence } = lock;
  return (
    <Panel title={t('title')} flush actions={<EvidenceMark evidence={waitersEvidence} named />}>
      <DataTable
        caption={t('tableLabel')}
        columns={useColumns(at)}
        rows={waiters.map((waiter, index) => ({ ...waiter, place: index + 1 }))}
        rowKey={({ place }) => String(place)}
        empty={
          <p className="p-3 text-sm text-ink-2">
            {t(waitersEvidence === 'unknown' ? 'unknown' : 'nobody')}
          </p>
        }
      />
    </Panel>
  );
}

function useColumns(at: number): Column<PastWaiter & { place: number }>[] {
  const t = useTranslations('past.waiters');
  const labels = useTranslations('labels');
  return [
    {
      id: 'owner',
      header: t('owner'),
      className: 'max-w-44 sm:max-w-64',
      cell: ({ owner }) =>
        owner === null ? (
          <span className="text-ink-3">{labels('ownerUnknown')}</span>
        ) : (
          <PastOwner owner={owner} />
        ),
    },
    {
      id: 'since',
      header: t('since'),
      wideOnly: true,
      cell: ({ start }) => <ExactClock at={start} beside={at} />,
    },
    {
      id: 'waited',
      header: t('waited'),
      align: 'end',
      cell: ({ start, evidence }) => (
        <Figure evidence={evidence}>
          <DurationText ms={at - start} />
        </Figure>
      ),
    },
    {
      id: 'outcome',
      header: t('outcome'),
      cell: (waiter) => <WaitOutcome waiter={waiter} at={at} />,
    },
  ];
}
