'use client';

import { useTranslations } from 'use-intl';
import type { AdvicePage } from '@/lib/protocol/measures';
import { subjectHref } from '@/components/charts/subject';
import { KeyText } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';

type Silent = AdvicePage['silent'][number];

/** Named with the reason, so that silence is not read as "all is well". */
export function SilentClasses({ classes }: { classes: readonly Silent[] }) {
  const t = useTranslations('advice');
  const columns: Column<Silent>[] = [
    {
      id: 'class',
      header: t('silentColumns.class'),
      className: 'max-w-44 sm:max-w-80',
      cell: (row) => (
        <PageLink
          href={subjectHref('/waits', { namespace: row.namespace, class: row.class })}
          className="flex hover:text-accent-ink hover:underline"
        >
          <KeyText text={row.class} />
        </PageLink>
      ),
    },
    {
      id: 'because',
      header: t('silentColumns.because'),
      className: 'whitespace-normal! text-ink-2',
      cell: (row) => t(`because.${row.because}`),
    },
  ];
  return (
    <Panel title={t('silent')} description={t('silentText')} flush>
      <DataTable
        caption={t('silentCaption')}
        columns={columns}
        rows={classes}
        rowKey={(row) => `${row.namespace}\n${row.class}\n${row.because}`}
      />
    </Panel>
  );
}
