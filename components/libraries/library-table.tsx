'use client';

import { useTranslations } from 'use-intl';
import { FormatLabel, KeyText } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import type { Library } from '@/lib/protocol/libraries';

const OLD_HOLDER_TONE = {
  fails: 'neutral',
  revives: 'warning',
  steals: 'critical',
  unknown: 'neutral',
} as const;

/** Those with locks now come first. */
const byLocks = (a: Library, b: Library): number =>
  Number(b.locks > 0) - Number(a.locks > 0) || a.name.localeCompare(b.name);

/** Whose locks are understood, and what can be seen and done of them. */
export function LibraryTable({ libraries }: { libraries: readonly Library[] }) {
  const t = useTranslations('libraries');
  const kinds = useTranslations('labels.kinds');
  const columns: Column<Library>[] = [
    {
      id: 'name',
      header: t('library'),
      cell: ({ id }) => (
        <span title={t('formatId', { id })} className="font-medium">
          <FormatLabel format={id} />
        </span>
      ),
    },
    { id: 'kind', header: t('kind'), wideOnly: true, cell: ({ kind }) => kinds(kind) },
    {
      id: 'locks',
      header: t('locks'),
      align: 'end',
      cell: ({ id, locks }) =>
        locks === 0 ? (
          <span className="text-ink-3">0</span>
        ) : (
          <PageLink
            href={`/locks?format=${encodeURIComponent(id)}`}
            className="text-accent-ink underline"
          >
            {locks}
          </PageLink>
        ),
    },
    { id: 'held', header: t('held'), align: 'end', cell: ({ held }) => held },
    {
      id: 'waiters',
      header: t('waiters'),
      cell: ({ waiters, oldHolder }) =>
        waiters === 'poll' && oldHolder === 'unknown'
          ? t('waitersUnknown')
          : t(`waiterKinds.${waiters}`),
    },
    {
      id: 'wakes',
      header: t('wakes'),
      cell: ({ wakes, readOnly }) =>
        readOnly ? <Badge>{t('readOnly')}</Badge> : t(wakes ? 'wakesYes' : 'wakesNo'),
    },
    {
      id: 'oldHolder',
      header: t('oldHolder'),
      cell: ({ oldHolder, readOnly }) =>
        readOnly ? (
          ''
        ) : (
          <Badge tone={OLD_HOLDER_TONE[oldHolder]}>{t(`oldHolders.${oldHolder}`)}</Badge>
        ),
    },
    {
      id: 'keys',
      header: t('keys'),
      cell: ({ prefixes }) =>
        prefixes.length === 0 ? (
          <span className="text-ink-3">{t('anyName')}</span>
        ) : (
          <span className="flex max-w-96 flex-wrap gap-x-2">
            {prefixes.map((prefix) => (
              <KeyText key={prefix} text={`${prefix}*`} className="text-xs" />
            ))}
          </span>
        ),
    },
  ];
  return (
    <DataTable
      caption={t('supported')}
      columns={columns}
      rows={libraries.toSorted(byLocks)}
      rowKey={({ id }) => id}
    />
  );
}
