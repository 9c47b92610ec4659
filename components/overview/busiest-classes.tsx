'use client';

import type { ReactNode } from 'react';
import { subjectHref } from '@/components/charts/subject';
import { PageLink } from '@/components/ui/page-link';
import { useFormatter, useTranslations } from 'use-intl';
import type { LockClass, Percentiles } from '@/lib/protocol/measures';
import { DurationText, Figure, KeyText } from '@/components/labels';
import { WhenSeen } from '@/components/live/when-seen';
import type { Column } from '@/components/ui/data-table';
import { DataTable } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';

/** Of the element around the table, for links to it. */
export const BUSIEST_ID = 'busiest-classes';

/** The classes with the most going on; what cannot be observed is a hatched "?". */
export function BusiestClasses({ classes }: { classes: readonly LockClass[] }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const columns: Column<LockClass>[] = [
    {
      id: 'class',
      header: t('columns.class'),
      cell: (row) => (
        <PageLink
          href={`/locks?${new URLSearchParams({ class: row.class }).toString()}`}
          className="flex max-w-44 sm:max-w-80 hover:text-accent-ink hover:underline"
        >
          <KeyText text={row.class} />
        </PageLink>
      ),
    },
    { id: 'held', header: t('columns.held'), align: 'end', cell: (row) => format.number(row.held) },
    {
      id: 'acquisitions',
      header: t('columns.acquisitions'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.acquisitions),
    },
    {
      id: 'contention',
      header: <span title={t('contentionMeaning')}>{t('columns.contention')}</span>,
      align: 'end',
      cell: (row) => (
        <MeasureLink page="blame" row={row}>
          <Figure evidence={row.contention === null ? 'unknown' : row.evidence}>
            {row.contention === null
              ? null
              : format.number(row.contention, { maximumFractionDigits: 2 })}
          </Figure>
        </MeasureLink>
      ),
    },
    {
      id: 'hold',
      header: t('columns.holdP99'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <P99 of={row.holdMs} />,
    },
    {
      id: 'wait',
      header: t('columns.waitP99'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (
        <MeasureLink page="waits" row={row}>
          {row.waitMsEvidence === 'unknown' ? (
            <Figure evidence="unknown">{null}</Figure>
          ) : (
            <P99 of={row.waitMs} />
          )}
        </MeasureLink>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('busiestCaption')}
      columns={columns}
      rows={classes}
      rowKey={(row) => `${row.namespace}/${row.class}`}
      empty={
        <WhenSeen>
          <EmptyState title={t('noClasses')}>{t('noClassesText')}</EmptyState>
        </WhenSeen>
      }
    />
  );
}

/** From a figure to where it comes from, over the same hour. */
function MeasureLink({
  page,
  row,
  children,
}: {
  page: 'waits' | 'blame';
  row: LockClass;
  children: ReactNode;
}) {
  const t = useTranslations('charts.links');
  return (
    <PageLink
      title={t(page)}
      href={subjectHref(
        `/${page}`,
        { namespace: row.namespace, class: row.class },
        { range: '1h' },
      )}
      prefetch={false}
      className="hover:text-accent-ink hover:underline"
    >
      {children}
    </PageLink>
  );
}

function P99({ of }: { of: Percentiles }) {
  const t = useTranslations('overview');
  if (of.p99 === null) return <span className="text-ink-3">{t('noSamples')}</span>;
  return <DurationText ms={of.p99} />;
}
